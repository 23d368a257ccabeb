import { isTooDeep } from '../protocol/is-too-deep.ts'
import { isObject, type JsonObject } from '../protocol/json-object.ts'
import { decodePercent } from '../system/percent-encoding.ts'
import { pathOfSkill } from './skill-names.ts'

/** The extension of MCP through which servers offer skills. */
export const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills'

/** A skill as `skills/list` describes it. All its files have digests. */
export interface SkillEntry {
  /** The URI of its `SKILL.md`. */
  readonly uri: string
  readonly frontmatter: SkillFrontmatter
  /** Every file of the skill, also `SKILL.md`. */
  readonly resources: readonly SkillFile[]
}

export interface SkillFrontmatter extends JsonObject {
  readonly name: string
  readonly description: string
}

export interface SkillFile {
  readonly uri: string
  /** `sha256:` and 64 lowercase hexadecimal digits. */
  readonly digest: string
  /** In bytes. */
  readonly size: number
}

/** The limits of the extension: servers cannot expect that a host accepts more. */
export const MAX_FILES = 512
export const MAX_BYTES: number = 16 * 1024 * 1024
const MAX_URI = 2_048
const MAX_FRONTMATTER = 65_536
const MAX_DESCRIPTION = 4_096
/** Fields that a message about a missing one lists. */
const MAX_SHOWN = 10

/** Reads an entry of `skills/list`, or says why the skill cannot be offered. */
export function readSkillEntry(entry: unknown): SkillEntry | { readonly problem: string } {
  if (!isObject(entry) || isTooDeep(entry)) return { problem: 'The entry is not valid.' }
  const { uri, frontmatter, resources } = entry
  const problem =
    uriProblem(uri) ??
    frontmatterProblem(frontmatter, pathOfSkill(uri as string)) ??
    filesProblem(resources, uri as string)
  if (problem !== undefined) return { problem }
  const files = (resources as readonly SkillFile[]).map((file) => {
    const { uri: fileUri, digest, size } = file
    return { uri: fileUri, digest, size }
  })
  return {
    uri: uri as string,
    frontmatter: frontmatter as SkillFrontmatter,
    resources: files.sort((a, b) => (a.uri < b.uri ? -1 : 1)),
  }
}

function uriProblem(uri: unknown): string | undefined {
  if (typeof uri !== 'string' || !isPlainUri(uri)) return 'The "uri" is not a valid URI.'
  return uri.endsWith('/SKILL.md') ? undefined : 'The "uri" does not end with "/SKILL.md".'
}

/** Without anything that could lead out of the folder of the skill. */
export function isPlainUri(uri: string): boolean {
  if (uri.length > MAX_URI || !/^[a-z][a-z0-9+.-]*:/i.test(uri)) return false
  if (/[\s\\?#]/.test(uri) || !URL.canParse(uri)) return false
  const path = uri.replace(/^[^:]*:(?:\/\/)?/, '')
  return path.split('/').every((segment) => {
    const plain = decodePercent(segment)
    return plain !== undefined && !['', '.', '..'].includes(plain) && !/[/\\\p{Cc}]/u.test(plain)
  })
}

/** Says what is wrong with the frontmatter of a skill at this path. */
export function frontmatterProblem(frontmatter: unknown, path: string): string | undefined {
  if (!isObject(frontmatter)) return 'The skill has no frontmatter.'
  const { name, description } = frontmatter
  const unusable = fieldProblem(frontmatter, 'name')
  if (unusable !== undefined || typeof name !== 'string') return unusable
  if (name.length > 64 || !/^[\p{Ll}\p{Lo}\p{N}]+(-[\p{Ll}\p{Lo}\p{N}]+)*$/u.test(name)) {
    return `The name "${name.slice(0, 80)}" is invalid: use at most 64 lowercase letters, digits and single hyphens.`
  }
  // Some file systems decompose letters such as "ö".
  const folder = decodePercent(path.split('/').at(-1)!)?.normalize('NFC')
  if (folder !== name.normalize('NFC'))
    return `The name is "${name}", but the folder is "${folder}".`
  const undescribed = fieldProblem(frontmatter, 'description')
  if (undescribed !== undefined || typeof description !== 'string') return undescribed
  if (description.length > MAX_DESCRIPTION) {
    return `The description has more than ${MAX_DESCRIPTION} characters.`
  }
  const size = JSON.stringify(frontmatter).length
  return size > MAX_FRONTMATTER ? 'The frontmatter is too long.' : undefined
}

/** Says what is wrong with a field that every skill needs. Lists the other fields: one may be misspelt. */
function fieldProblem(frontmatter: JsonObject, field: 'name' | 'description'): string | undefined {
  const value = frontmatter[field]
  if (typeof value === 'string' && value.trim() !== '') return undefined
  if (typeof value === 'string') return `The field "${field}" of the frontmatter is empty.`
  if (value !== undefined && value !== null) {
    return `The field "${field}" of the frontmatter is not a text. Put it in quotes.`
  }
  const others = Object.keys(frontmatter).slice(0, MAX_SHOWN)
  const found = others.length > 0 ? `, only ${others.join(', ').slice(0, 200)}` : ''
  return `The frontmatter has no "${field}"${found}.`
}

function filesProblem(files: unknown, uri: string): string | undefined {
  if (files === 'dynamic') return 'The content is dynamic, so nobody can approve it.'
  if (!Array.isArray(files)) return 'The skill has no list of files ("resources").'
  if (files.length > MAX_FILES) return `The skill has more than ${MAX_FILES} files.`
  const root = uri.slice(0, -'SKILL.md'.length)
  const seen = new Set<string>()
  let bytes = 0
  for (const file of files) {
    if (!isObject(file) || typeof file.uri !== 'string')
      return 'The skill lists a file without "uri".'
    const { uri: each, digest, size } = file
    if (!isPlainUri(each as string) || !(each as string).startsWith(root)) {
      return 'The skill lists a file outside of its folder.'
    }
    if (seen.has(each as string)) return 'The skill lists a file twice.'
    if (typeof digest !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(digest)) {
      return 'The skill lists a file without a valid "digest".'
    }
    if (!Number.isInteger(size) || (size as number) < 0)
      return 'The skill lists a file without "size".'
    seen.add(each as string)
    bytes += size as number
  }
  if (bytes > MAX_BYTES) return `The files have more than ${MAX_BYTES / 1024 / 1024} MB.`
  return seen.has(uri) ? undefined : 'The list of files lacks SKILL.md.'
}
