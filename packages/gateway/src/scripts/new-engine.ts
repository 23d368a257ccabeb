import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import variant from '@jitl/quickjs-wasmfile-release-sync'
import {
  type CustomizeVariantOptions,
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core'
import type { SandboxMemory } from './sandbox-memory.ts'

// The types of Node describe only parts of WebAssembly.
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> }

// The package declares the types of its CommonJS build for both of its builds.
const VARIANT = variant as unknown as QuickJSSyncVariant

/** Compiled once per thread. */
let compiled: Promise<object> | undefined

async function compile(): Promise<object> {
  const { resolve } = createRequire(import.meta.url)
  return WebAssembly.compile(await readFile(resolve('@jitl/quickjs-wasmfile-release-sync/wasm')))
}

/** A new instance of QuickJS that uses this memory. */
export async function newEngine({ wasm }: SandboxMemory): Promise<QuickJSWASMModule> {
  compiled ??= compile()
  const options = { wasmModule: await compiled, wasmMemory: wasm } as CustomizeVariantOptions
  return newQuickJSWASMModuleFromVariant(newVariant(VARIANT, options))
}
