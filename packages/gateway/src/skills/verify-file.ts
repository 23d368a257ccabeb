import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '../protocol/json-object.ts'
import { decodeText } from './decode-text.ts'
import { readFrontmatter } from './read-frontmatter.ts'
import type { SkillEntry } from './skill-entry.ts'

export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

/** The bytes of a file in a result of `resources/read`. Undefined if it contains none. */
export function bytesIn({ contents }: JsonObject, uri: string): Buffer | undefined {
  const blocks = Array.isArray(contents) ? contents.filter(isObject) : []
  const block = blocks.find((each) => each.uri === uri) ?? (blocks.length === 1 ? blocks[0] : {})
  if (typeof block?.text === 'string') return Buffer.from(block.text, 'utf8')
  return typeof block?.blob === 'string' ? Buffer.from(block.blob, 'base64') : undefined
}

/**
 * Compares a file with what the entry of its skill says about it. Returns why the content must not be
 * used, or undefined.
 */
export async function verifyFile(
  { uri: skillUri, frontmatter, resources }: SkillEntry,
  uri: string,
  bytes: Uint8Array,
): Promise<string | undefined> {
  const file = resources.find((each) => each.uri === uri)
  if (!file) return 'the skill does not list this file'
  if (bytes.byteLength !== file.size) {
    return `it has ${bytes.byteLength} bytes instead of ${file.size}`
  }
  if (digestOf(bytes) !== file.digest) return 'its content does not match its sha256 digest'
  if (uri !== skillUri) return undefined
  const text = decodeText(bytes)
  if (text === undefined) return 'it is not UTF-8 text'
  const read = await readFrontmatter(text)
  if ('problem' in read) return `its frontmatter cannot be read: ${read.problem}`
  return isDeepStrictEqual(read.frontmatter, frontmatter)
    ? undefined
    : 'its frontmatter differs from what the server announced'
}
