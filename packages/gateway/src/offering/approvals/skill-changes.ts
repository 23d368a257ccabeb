import type { SkillEntry, SkillFile } from '../../skills/skill-entry.ts'
import { fileOf } from '../../skills/skill-names.ts'

/** What changed in a file of a skill since the skill was approved. */
export interface FileChange {
  /** `SKILL.md`, or a path such as `references/GUIDE.md`. */
  readonly path: string
  readonly kind: 'added' | 'removed' | 'changed'
  /** The lines of a unified diff, which begin with a space, `-`, `+` or `@@`. Absent if no text can be compared. */
  readonly diff?: readonly string[]
  /** Why there is no diff, or what it leaves out. */
  readonly note?: string
}

export interface SkillChangesOptions {
  /** A text that was approved. Undefined if it is not known. */
  readonly approvedText: (digest: string) => Promise<string | undefined>
  /** A text as it is now, or why there is none. */
  readonly currentText: (path: string) => Promise<string | { readonly problem: string }>
}

/** With more differences than this, comparing line by line takes too long and is not useful. */
const MAX_EDITS = 4_000
/** A person reads the rest with `toolsearch skills`. */
const MAX_LINES = 400

/** Compares the files of the approved skill with those that it has now. Texts are read only if their digests differ. */
export async function skillChanges(
  before: SkillEntry,
  after: SkillEntry,
  { approvedText, currentText }: SkillChangesOptions,
): Promise<readonly FileChange[]> {
  const [old, current] = [filesByPath(before), filesByPath(after)]
  const paths = [...new Set([...current.keys(), ...old.keys()])].sort(skillFirst)
  const changes: FileChange[] = []
  for (const path of paths) {
    const [was, is] = [old.get(path), current.get(path)]
    if (was?.digest === is?.digest) continue
    const kind = !was ? 'added' : !is ? 'removed' : 'changed'
    const approved = was ? await approvedText(was.digest) : ''
    const text = is ? await currentText(path) : ''
    changes.push({ path, kind, ...(await compared({ was, is, approved, text })) })
  }
  return changes
}

interface Compared {
  readonly was: SkillFile | undefined
  readonly is: SkillFile | undefined
  readonly approved: string | undefined
  readonly text: string | { readonly problem: string }
}

async function compared({
  was,
  is,
  approved,
  text,
}: Compared): Promise<Pick<FileChange, 'diff' | 'note'>> {
  const digests = [was, is].flatMap((file) => (file ? [short(file.digest)] : [])).join(' → ')
  if (typeof text !== 'string') return { note: `${text.problem} (${digests})` }
  if (approved === undefined) {
    return { note: `The approved text is not stored, so it cannot be compared (${digests}).` }
  }
  // Loaded on first use, because most gateways never compare skills.
  const { structuredPatch } = await import('diff')
  const patch = structuredPatch('', '', approved, text, '', '', {
    context: 3,
    maxEditLength: MAX_EDITS,
    stripTrailingCr: true,
  })
  if (!patch) return { note: `Too much has changed to compare the texts (${digests}).` }
  if (patch.hunks.length === 0) return { note: `Only line endings have changed (${digests}).` }
  const lines = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: hunk }) => [
    `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
    ...hunk,
  ])
  const more = lines.length - MAX_LINES
  return {
    diff: lines.slice(0, MAX_LINES),
    ...(more > 0 && { note: `${more} more ${more === 1 ? 'line' : 'lines'}.` }),
  }
}

/** Of an empty part, the format has the line before it. */
function range(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`
}

function filesByPath({ uri, resources }: SkillEntry): Map<string, SkillFile> {
  return new Map(resources.map((file) => [fileOf(uri, file.uri), file]))
}

function skillFirst(one: string, other: string): number {
  if (one === 'SKILL.md' || other === 'SKILL.md') return one === 'SKILL.md' ? -1 : 1
  return one < other ? -1 : 1
}

function short(digest: string): string {
  return `${digest.slice(0, 'sha256:'.length + 12)}…`
}
