import type { SkillFrontmatter } from './skill-entry.ts'

const MAX_NAMES = 200

/**
 * Names in a skill that can be names of tools: those of `allowed-tools`, then code and words with an
 * underscore in its texts. Most of them mean something else, so only exact matches with existing tools count.
 *
 * `allowed-tools` permits nothing here: a skill must not widen what its reader may do.
 */
export function mentionedTools(frontmatter: SkillFrontmatter, body = ''): readonly string[] {
  const listed = [frontmatter['allowed-tools'] ?? []].flat()
  const allowed = listed
    .filter((each) => typeof each === 'string')
    .flatMap((each) => each.replace(/\([^)]*\)/g, ' ').split(/[\s,]+/))
  const text = `${frontmatter.description}\n${body}`
  const code = [...text.matchAll(/`([\w./-]{1,128})[`(]/g)].map(([, name]) => name!)
  const words = text.match(/[\p{L}\p{N}.-]*_[\p{L}\p{N}_.-]*[\p{L}\p{N}]/gu) ?? []
  const names = [...allowed, ...code, ...words].filter((name) => name !== '')
  return [...new Set(names)].slice(0, MAX_NAMES)
}
