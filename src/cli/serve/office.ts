import { availableParallelism } from 'node:os';
import { INTERRUPTED } from '../exit.js';
import type { Client, CommandOfClient, Service } from './connection.js';
import type { Frame } from './frames.js';
import type { Refusal, Request } from './request.js';
import type { Running } from './runners.js';
import { createRunners } from './runners.js';

export interface Limits {
  /** Minutes without a command after which all is over. */
  readonly idle: number;
  /** Seconds that a command may take. */
  readonly timeLimit: number;
}

/** So many commands run at a time: more than there are cores, so that a few long ones keep no short one waiting. */
export const MOST_RUNNING = Math.max(4, availableParallelism());

/** So many commands may wait. */
const MOST_WAITING = 64;

const ENDING: Refusal = { message: 'is about to end', runsHere: true };

/** A command of a client: it waits, or it runs. */
interface Task {
  readonly request: Request;
  readonly client: Client;
  running?: Running;
}

/** Who runs what, and who waits. */
export class Office implements Service {
  private readonly runners = createRunners();
  private readonly waiting: Task[] = [];
  private readonly active = new Set<Task>();
  private idleTimer: NodeJS.Timeout | undefined;
  private isClosing = false;
  /** Hears that nothing runs any more. */
  private hearEmpty = (): void => {};

  /** @param onIdle hears that there was no command for as long as that may be */
  constructor(
    private readonly limits: Limits,
    private readonly onIdle: () => void,
  ) {}

  /** From now on, time without commands counts. */
  open(): void {
    this.rest();
  }

  begin(request: Request, client: Client): CommandOfClient {
    const task: Task = { request, client };
    if (this.isClosing) client.refuse(ENDING);
    else if (this.waiting.length >= MOST_WAITING) {
      client.refuse({ message: `has ${MOST_WAITING} commands waiting`, runsHere: true });
    } else {
      this.waiting.push(task);
      this.next();
    }
    return {
      input: (frame) => give(task.running, frame),
      signal: (signal) => {
        if (task.running !== undefined) return task.running.signal(signal);
        this.drop(task);
        client.end({ signal });
      },
      gone: () => {
        if (task.running !== undefined) task.running.end();
        else this.drop(task);
      },
    };
  }

  /** Ends the commands that run in order, and lets nobody begin another. */
  async close(): Promise<void> {
    this.isClosing = true;
    clearTimeout(this.idleTimer);
    for (const { client } of this.waiting.splice(0)) client.refuse(ENDING);
    for (const { running } of this.active) running?.end();
    if (this.active.size > 0) await new Promise<void>((resolve) => (this.hearEmpty = resolve));
    this.runners.close();
  }

  /** Ends the commands that run at once. */
  kill(): void {
    for (const { running } of this.active) running?.kill();
  }

  private drop(task: Task): void {
    this.waiting.splice(this.waiting.indexOf(task), 1);
    this.rest();
  }

  /** Begins the next command, if there is one and room for it. */
  private next(): void {
    if (!this.isClosing && this.active.size < MOST_RUNNING) {
      const task = this.waiting.shift();
      if (task !== undefined) this.run(task);
    }
    this.rest();
  }

  private run(task: Task): void {
    const { client, request } = task;
    const { timeLimit } = this.limits;
    let isLate = false;
    this.active.add(task);
    const running = this.runners.run(request, {
      write: (stream, bytes) => client.send(stream, bytes),
      wantsInput: () => client.send('wantsInput'),
      end: (end, failure) => {
        clearTimeout(timer);
        this.active.delete(task);
        if (failure !== undefined) say(client, `the process of this command died (${failure})`);
        if (isLate) say(client, `ended by the server: it took more than ${timeLimit} s`);
        client.end(isLate ? { code: INTERRUPTED } : end);
        this.next();
      },
    });
    const timer = after(timeLimit, () => {
      isLate = true;
      running.end();
    });
    task.running = running;
  }

  /** Where there is nothing to do, a process is made ready, and the time without commands begins. */
  private rest(): void {
    clearTimeout(this.idleTimer);
    if (this.active.size === 0) this.hearEmpty();
    if (this.waiting.length + this.active.size > 0 || this.isClosing) return;
    this.runners.prepare();
    this.idleTimer = after(60 * this.limits.idle, this.onIdle);
  }
}

/** Gives a command a frame of its standard input. */
function give(running: Running | undefined, { kind, bytes }: Frame): void {
  if (kind === 'input') running?.say({ kind, bytes });
  if (kind === 'inputEnd') running?.say({ kind });
  if (kind === 'inputFailed') running?.say({ kind, code: bytes.toString() });
}

const say = (client: Client, message: string): void =>
  client.send('stderr', Buffer.from(`remora: ${message}\n`));

/** Timers cannot be longer than that many milliseconds; they would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

const after = (seconds: number, what: () => void): NodeJS.Timeout =>
  setTimeout(what, Math.min(1000 * seconds, LONGEST_TIMER));
