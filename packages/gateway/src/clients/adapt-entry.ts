import { basename, isAbsolute, join, sep } from 'node:path'
import type { FoundConfig, FoundServer } from './find-client-configs.ts'
import { mapTexts } from './known/client-parts.ts'
import type { ConvertedEntry, Entry, Machine } from './known-client.ts'

/**
 * Converts a client's entry so that it means the same in our file: replaces variables that only the
 * client supports with paths, escapes `${…}` that the client does not replace, translates the format, and
 * sets the working directory of a project's server to the project's folder.
 */
export function adaptEntry(
  { name, entry, isDisabled }: FoundServer,
  { client, project }: Pick<FoundConfig, 'client' | 'project'>,
  { home, env }: Pick<Machine, 'home' | 'env'>,
): ConvertedEntry {
  const escaped = mapTexts(entry, adaptText) as Entry
  const converted = client.convert?.(escaped, { name, env }) ?? { entry: escaped }
  if (!('entry' in converted)) return converted
  const own = isDisabled ? { ...converted.entry, disabled: true } : converted.entry
  return { entry: project === undefined ? own : inProject(own, project) }

  function adaptText(text: string): string {
    return text.replace(/\$\{([^}]*)(\}?)/g, (whole, inner: string, end: string) => {
      if (end === '' || !client.variables.test(inner)) return `$${whole}`
      if (inner === 'userHome') return home
      if (inner === 'pathSeparator' || inner === '/') return sep
      if (inner === 'workspaceFolder') return project ?? whole
      if (inner === 'workspaceFolderBasename') return project ? basename(project) : whole
      return whole
    })
  }
}

function inProject(entry: Entry, project: string): Entry {
  if (typeof entry.command !== 'string') return entry
  const { cwd } = entry
  if (cwd === undefined) return { ...entry, cwd: project }
  const isRelative = typeof cwd === 'string' && !isAbsolute(cwd) && !cwd.startsWith('${')
  return isRelative ? { ...entry, cwd: join(project, cwd) } : entry
}
