import { readFileSync, writeFileSync } from 'node:fs'
import { InputError } from '../input-error.ts'

/** R@5 of each query, by set, for comparing two versions of the code query by query. */
export type SavedScores = Readonly<Record<string, readonly number[]>>

export function saveScores(file: string, scores: SavedScores): void {
  writeFileSync(file, `${JSON.stringify(scores)}\n`)
}

/** Reads the scores of exactly these sets. @throws InputError */
export function readScores(
  file: string,
  sets: readonly { readonly name: string; readonly queries: readonly unknown[] }[],
): SavedScores {
  const scores = parse(file)
  for (const { name, queries } of sets) {
    const saved = scores[name]
    if (saved?.length === queries.length) continue
    throw new InputError(
      `${file}: has ${saved?.length ?? 0} scores for ${name}, not ${queries.length}. ` +
        'Save it with the same data, --sets and --queries.',
    )
  }
  return scores
}

function parse(file: string): SavedScores {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new InputError(`${file}: cannot be read: ${(error as Error).message}`)
  }
}
