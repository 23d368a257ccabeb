interface WasmMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}
// The types of Node describe only parts of WebAssembly.
declare const WebAssembly: {
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => WasmMemory
}

/** The memory of one sandbox. */
export interface SandboxMemory {
  readonly wasm: WasmMemory
  /** Whether the script needed more than the limit. Nothing in the sandbox can be relied on then. */
  isFull(): boolean
  /**
   * Lets the gateway exceed the limit, for copies of what it passes to the script: the package writes to
   * address 0 if there is no memory for them.
   */
  beyondLimit<T>(work: () => T): T
}

/** What the engine is compiled for. */
const [MIN_PAGES, MAX_PAGES, PAGES_PER_MB] = [256, 32_768, 16]
/** The engine asks for less each time until it gives up. */
const ATTEMPTS = 3
const PAGE_BYTES = 65_536

/** QuickJS cannot limit its memory itself: in WebAssembly it does not know how large its allocations are. */
export function createSandboxMemory(memoryMb: number): SandboxMemory {
  const limit = Math.max(MIN_PAGES, memoryMb * PAGES_PER_MB)
  const maximum = Math.min(MAX_PAGES, limit * 2)
  const wasm = new WebAssembly.Memory({ initial: MIN_PAGES, maximum })
  const grow = wasm.grow.bind(wasm)
  const pages = () => wasm.buffer.byteLength / PAGE_BYTES
  let isBeyondLimit = false
  let refused = 0

  wasm.grow = (more) => {
    if (!isBeyondLimit && pages() + more > limit) {
      refused += 1
      throw new RangeError('The limit of the sandbox is reached.')
    }
    const before = grow(more)
    refused = 0
    return before
  }
  return {
    wasm,
    isFull: () => refused >= ATTEMPTS || pages() > limit,
    beyondLimit(work) {
      isBeyondLimit = true
      try {
        return work()
      } finally {
        isBeyondLimit = false
      }
    },
  }
}
