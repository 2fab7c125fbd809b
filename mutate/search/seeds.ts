/**
 * Programs that random search is slow to find, to start from. Each was made by hand for what it is
 * named after; search.ts makes them smaller where it can.
 */
export const SEEDS: Readonly<Record<string, string>> = {
  'reading from the own store buffer is not observed': `
    node 1 { x = 0; y = 0 }
    thread T1 on 1 { x := 1; a := x; b := y }
    thread T2 on 1 { y := 1; c := y; d := x }`,
  'two CAS in order': `
    node 1 { x = 0; y = 0 }
    thread T1 on 1 { a := CAS(x, 0, 1); b := CAS(y, 0, 1) }
    thread T2 on 1 { c := y; d := x }`,
  'flush order of a get and a put, and a wait for the put': `
    node 1 { x = 0; y = 0 } node 2 { z = 0; w = 0 }
    thread T1 on 1 { p :=^e z^2; w^2 :=^d x; wait(d); y := 1 }
    thread T2 on 2 { z := 1; w := 2 }
    thread T3 on 1 { b := y; z^2 := 1 }`,
  'a put and the next put, ordered through flush order': `
    node 1 { x = 0; y = 0 } node 2 { z = 0; w = 0; k = 0 }
    thread T1 on 1 { p := z^2; w^2 := y; k^2 := x }
    thread T2 on 2 { z := 1; w := 2 }
    thread T3 on 1 { x := 1; z^2 := 1 }`,
  'a get and a put to its source, then a put': `
    node 1 { x = 0; y = 0 } node 2 { z = 0; w = 0 }
    thread T1 on 1 { p := z^2; z^2 := y; w^2 := x }
    thread T2 on 1 { x := 1; z^2 := 1 }`,
  'a put, a remote fence, a put': `
    node 1 { x = 0; y = 0 } node 2 { z = 0; w = 0 }
    thread T1 on 1 { z^2 := y; rfence(2); w^2 := x }
    thread T2 on 1 { x := 1; z^2 := x }`,
  'a get, a remote fence, a put elsewhere': `
    node 1 { x = 0 } node 2 { z = 0 } node 3 { u = 0 }
    thread T1 on 1 { p := z^2; rfence(2); u^3 := 1 }
    thread T2 on 3 { a := u; z^2 := 1 }`,
  'a get, a remote fence, a put, and a wait for the put': `
    node 1 { x = 0; y = 0 } node 2 { z = 0; w = 0 }
    thread T1 on 1 { p :=^e z^2; rfence(2); w^2 :=^d x; wait(d); y := 1 }
    thread T2 on 1 { b := y; z^2 := y }`,
  'a remote fence and a poll for something older': `
    node 1 { x = 0 } node 2 { z = 0; w = 0 }
    thread T1 on 1 { p := z^2; w^2 := x; rfence(2); poll(2); x := 1 }`,
  'a poll, then a get': `
    node 1 { x = 0 } node 2 { z = 0; w = 0 }
    thread T1 on 1 { x := z^2; poll(2); p := w^2 }
    thread T2 on 2 { w := 1; x^1 := 1 }`,
  'a poll, then a get from elsewhere': `
    node 1 { x = 0 } node 2 { z = 0 } node 3 { u = 0 }
    thread T1 on 1 { x := z^2; poll(2); p := u^3 }
    thread T2 on 3 { u := 1; x^1 := 1 }`,
  'a get, flush order, a wait for a put': `
    node 1 { x = 0; y = 0 } node 2 { z = 0; w = 0 }
    thread T1 on 1 { p :=^e z^2; w^2 :=^d x; wait(d); y := 1 }
    thread T2 on 2 { z := 1; z := 2; w := 1 }
    thread T3 on 1 { c := y; q := z^2 }`,
  'two gets, a put of what the second brings, a put of what the first replaces': `
    node 1 { x = 0; y = 0 } node 2 { z = 0; w = 0; k = 0; l = 0 }
    thread T1 on 1 { x := z^2; y := w^2; k^2 := y; l^2 := x }
    thread T2 on 2 { z := 1; w := 1 }`,
  'two gets before two puts, the first of what the last puts': `
    node 1 { x = 0 } node 2 { z = 0; w = 0 }
    thread T1 on 1 { x := w^2; q := z^2; z^2 := 1; w^2 := 1 }
    thread T2 on 1 { a := x; z^2 := 1 }`,
  'a put of what a get is still writing, and its source': `
    node 1 { x = 0 } node 2 { z = 0; w = 0 }
    thread T1 on 1 { x := z^2; w^2 := x }
    thread T2 on 2 { a := w; b := z }
    thread T3 on 2 { z := 1 }`,
  'a CPU write before a poll': `
    node 1 { x = 0; y = 0 } node 2 { z = 0 }
    thread T1 on 1 { p := z^2; x := 1; poll(2); a := y }
    thread T2 on 1 { y := 1; mfence; b := x }`,
  'two gets that are waited for together': `
    node 1 { x = 0 } node 2 { z = 0 } node 3 { u = 0 }
    thread T1 on 1 { x := 1; x :=^d z^2; p :=^d u^3; wait(d); a := x }`,
  'a put that reads a pending write': `
    node 1 { x = 0 } node 2 { z = 0; w = 0 }
    thread T1 on 1 { x := z^2; w^2 := x }
    thread T2 on 2 { z := 1; a := w; x^1 := 1 }`,
  'store buffering with a polled put in either thread': `
    node 1 { x = 0; y = 0 } node 2 { z = 0 }
    thread T1 on 1 { x := 1; z^2 := x; poll(2); a := y }
    thread T2 on 1 { y := 1; z^2 := y; poll(2); b := x }`,
};
