/** The part of WebAssembly that is used here. TypeScript declares it only in its library for browsers. */
declare namespace WebAssembly {
  type Imports = Record<string, Record<string, unknown>>
  interface Module {
    readonly brand: 'compiled'
  }
  interface Instance {
    readonly exports: Record<string, unknown>
  }
  function compile(bytes: Uint8Array): Promise<Module>
  function instantiate(module: Module, imports: Imports): Promise<Instance>
}
