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
  let unknown: string | undefined
  const escaped = mapTexts(entry, adaptText) as Entry
  if (unknown !== undefined) {
    const reason = `It uses ${unknown}, which only ${client.label} can replace. Write the value instead.`
    return { reason }
  }
  const converted = client.convert?.(escaped, { name, env }) ?? { entry: escaped }
  if (!('entry' in converted)) return converted
  const own = isDisabled ? { ...converted.entry, disabled: true } : converted.entry
  return { entry: project === undefined ? own : inProject(own, project) }

  function adaptText(text: string): string {
    return text.replace(/\$\{([^}]*)(\}?)/g, (whole, inner: string, end: string) => {
      const isOwn = client.ownVariables?.test(inner) === true
      if (end === '' || !(isOwn || client.variables.test(inner))) return `$${whole}`
      if (!isOwn) return whole
      const value = knownValue(inner)
      if (value === undefined) unknown ??= whole
      return value ?? whole
    })
  }

  /** The value of a client's own variable, if it is known here, too. */
  function knownValue(variable: string): string | undefined {
    if (variable === 'userHome') return home
    if (variable === 'pathSeparator' || variable === '/') return sep
    if (variable === 'workspaceFolder') return project
    if (variable === 'workspaceFolderBasename') return project && basename(project)
    return undefined
  }
}

function inProject(entry: Entry, project: string): Entry {
  if (typeof entry.command !== 'string') return entry
  const { cwd } = entry
  if (cwd === undefined) return { ...entry, cwd: project }
  const isRelative = typeof cwd === 'string' && !isAbsolute(cwd) && !cwd.startsWith('${')
  return isRelative ? { ...entry, cwd: join(project, cwd) } : entry
}
