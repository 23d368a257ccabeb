import { percentDecodings } from '../system/percent-encoding.ts'
import { isSkillUri } from './skill-names.ts'

/** The folders of skills, to tell whether a URI is in one of them. */
export interface SkillFolderUris {
  /** Whether one of these spellings of a URI is in a folder of a skill, or is such a folder. */
  includes(spellings: readonly string[]): boolean
}

/**
 * Indexes the folders of skills by their URIs.
 *
 * @param skills the URIs of each `SKILL.md`. Those with the scheme `skill:` are left out: no URI with
 *   this scheme is a plain resource.
 */
export function skillFolderUris(skills: readonly { readonly uri: string }[]): SkillFolderUris {
  const folders = new Set(skills.flatMap(({ uri }) => (isSkillUri(uri) ? [] : spellingsOf(uri))))
  return {
    includes(spellings) {
      if (folders.size === 0) return false
      const all = spellings.flatMap((uri) => [uri, uri.replace(/[?#].*$/s, '')])
      return all.map(plain).some((uri) => {
        for (let end = uri.length; end > 0; end = uri.lastIndexOf('/', end - 1)) {
          if (folders.has(uri.slice(0, end))) return true
        }
        return false
      })
    },
  }
}

function spellingsOf(skill: string): string[] {
  const folder = skill.slice(0, -'/SKILL.md'.length)
  return percentDecodings(folder).map(plain)
}

/** Without what servers may ignore: repeated slashes, and case on some file systems. */
function plain(uri: string): string {
  return uri
    .replace(/[\\/]+/g, '/')
    .replace(/\/$/, '')
    .toLowerCase()
}
