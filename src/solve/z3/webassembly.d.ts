/** The little of WebAssembly's interface that is used: Node has it, but its types leave it out. */
declare namespace WebAssembly {
  type Imports = Record<string, Record<string, unknown>>;
  type Module = object;
  interface Instance {
    readonly exports: Readonly<Record<string, unknown>>;
  }
  interface Table {
    readonly length: number;
    get(index: number): unknown;
    set(index: number, value: unknown): void;
  }
  function instantiate(
    bytes: Uint8Array,
    imports: Imports,
  ): Promise<{ readonly instance: Instance; readonly module: Module }>;
}
