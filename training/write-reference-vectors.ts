import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createWordPieces } from 'toolsearch-semantics'
import { fetchModel } from './fetch-model.ts'

// Writes what the original model in fp32 returns for a few texts. The tests of toolsearch-encoder
// compare its vectors with these.
const TEXTS = [
  'give the customer their money back',
  'github create issue. Opens a new issue in a repository, with labels and assignees.',
  'x',
  'Rückerstattung für eine Bestellung, naïve café',
  'Deploys the web application to the staging slot, waits until the health check succeeds, swaps the slot into production and sends a message with the link to the release notes to the channel of the team that owns the service.',
]

const { values: options } = parseArgs({
  options: {
    cache: { type: 'string', default: join(tmpdir(), 'toolsearch-distill') },
    out: {
      type: 'string',
      default: join(import.meta.dirname, '../packages/encoder/src/reference-vectors.fixtures.ts'),
    },
  },
})
const { modules, onnx, vocabulary } = fetchModel(options.cache)
const ort = createRequire(join(modules, 'package.json'))('onnxruntime-node')
const session = await ort.InferenceSession.create(onnx)
const piecesOf = createWordPieces(new Map(vocabulary.map((piece, row) => [piece, row])))
const [start, end] = [vocabulary.indexOf('[CLS]'), vocabulary.indexOf('[SEP]')]

const entries: string[] = []
for (const text of TEXTS) {
  const vector = await embed([start, ...piecesOf(text), end])
  const base64 = Buffer.from(vector.buffer).toString('base64')
  entries.push(`  [${JSON.stringify(text)}, '${base64}'],`)
}
writeFileSync(
  options.out,
  `/** Texts, and their vectors from the original gte-small in fp32, as base64. Written by training/write-reference-vectors.ts. */
export const REFERENCE_VECTORS: readonly (readonly [text: string, floats: string])[] = [
${entries.join('\n')}
]
`,
)

async function embed(pieces: readonly number[]): Promise<Float32Array> {
  const tensor = (values: BigInt64Array) => new ort.Tensor('int64', values, [1, pieces.length])
  const { last_hidden_state: states } = await session.run({
    input_ids: tensor(BigInt64Array.from(pieces, BigInt)),
    attention_mask: tensor(BigInt64Array.from(pieces, () => 1n)),
    token_type_ids: tensor(new BigInt64Array(pieces.length)),
  })
  const sum = new Float32Array(states.dims[2])
  for (let at = 0; at < states.data.length; at++) sum[at % sum.length]! += states.data[at]
  const length = Math.hypot(...sum)
  return sum.map((value) => value / length)
}
