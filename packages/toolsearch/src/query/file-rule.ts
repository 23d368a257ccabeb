import { trimEdges } from './trim-edges.ts'

/** A file that a query wants written. */
export interface FileToWrite {
  readonly path: string
  /** Where the path begins and ends in the query. */
  readonly from: number
  readonly to: number
  /** A query for a tool that writes such a file: `create spreadsheet` for `.xlsx`. */
  readonly need: string
}

const NEEDS: readonly (readonly [need: string, extensions: string])[] = [
  ['create spreadsheet', 'xlsx xls xlsm ods'],
  ['write document', 'docx doc odt rtf'],
  ['create presentation', 'pptx ppt odp'],
  [
    'write file',
    `txt md markdown csv tsv json jsonl yaml yml toml ini xml html htm css js ts jsx tsx py rb go rs
    java c cpp h sh sql log tex ipynb pdf png jpg jpeg gif svg webp zip`,
  ],
]
const NEED_BY_EXTENSION = new Map(
  NEEDS.flatMap(([need, extensions]) =>
    extensions.split(/\s+/).map((extension) => [extension, need] as const),
  ),
)
const VERB =
  /\b(?:sav|writ|export|generat|creat|stor|output|dump|produc|record|append)(?:e|es|ed|ing|s)?\b|\b(?:put|make|wrote|written)\b/gi
/** A verb farther away belongs to something else. */
const MAX_DISTANCE = 60
const MAX_PATH = 300
const MAYBE_PATH = /[./\\]/
const EDGE = /["'`()<>[\]{}*,;:!?]/
const EXTENSION = /\.([A-Za-z0-9]{1,8})$/
const FOLDER = /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/][^\s\\/]/

/**
 * Finds the files that a query wants written, in order: paths with a verb such as "save" shortly
 * before them. A file that is only read is not one of them.
 */
export function filesToWrite(text: string): FileToWrite[] {
  const found: FileToWrite[] = []
  if (!MAYBE_PATH.test(text)) return found
  let verbs: readonly number[] | undefined
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    if (word.length > MAX_PATH || !MAYBE_PATH.test(word)) continue
    const path = trimEdges(word, EDGE).replace(/\.$/, '')
    const need = needFor(path)
    if (need === undefined) continue
    verbs ??= [...text.matchAll(VERB)].map((verb) => verb.index)
    const from = index + word.indexOf(path)
    if (verbs.some((verb) => verb < from && from - verb <= MAX_DISTANCE)) {
      found.push({ path, from, to: from + path.length, need })
    }
  }
  return found
}

function needFor(path: string): string | undefined {
  if (path.includes('://')) return undefined
  const extension = EXTENSION.exec(path)?.[1]?.toLowerCase() ?? ''
  return NEED_BY_EXTENSION.get(extension) ?? (FOLDER.test(path) ? 'write file' : undefined)
}
