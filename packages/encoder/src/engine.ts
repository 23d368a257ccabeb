import { assembleModule } from './assembler.ts'
import { attendFunction } from './attend-function.ts'
import { MAX_TOGETHER, multiplyFunction } from './multiply-function.ts'

// Not part of Node's types without those of browsers.
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: object }
}

type Multiply = (
  inputs: number,
  inputsEnd: number,
  weights: number,
  weightsEnd: number,
  results: number,
  resultBytes: number,
  scales: number,
) => void

/** The arithmetic of the encoder in WebAssembly. All arguments are addresses in its memory. */
export interface Engine {
  readonly memory: { readonly buffer: ArrayBuffer }
  /** `multiply[n]` handles `n` word pieces. */
  readonly multiply: readonly Multiply[]
  readonly attend: (
    queries: number,
    queriesEnd: number,
    results: number,
    scores: number,
    scoresEnd: number,
  ) => void
}

const PAGE_BYTES = 65_536

/** @throws an error if this version of Node has no WebAssembly SIMD */
export function createEngine(width: number, memoryBytes: number): Engine {
  const counts = Array.from({ length: MAX_TOGETHER }, (_, at) => at + 1)
  const bytes = assembleModule(
    [...counts.map(multiplyFunction), attendFunction(width)],
    Math.ceil(memoryBytes / PAGE_BYTES),
  )
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes))
  const functions = exports as Engine & Record<string, Multiply>
  return {
    memory: functions.memory,
    attend: functions.attend,
    multiply: [() => {}, ...counts.map((count) => functions[`multiply${count}`]!)],
  }
}
