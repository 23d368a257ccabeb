import { basename, isAbsolute, join, sep } from 'node:path'
import type { FoundConfig } from './find-client-configs.ts'

/**
 * Converts a client's entry so that it means the same in our file: replaces variables that only the
 * client supports with paths, escapes `${…}` that the client does not replace, and sets the working
 * directory of a project's server to the project's folder.
 */
export function adaptEntry(
  entry: Readonly<Record<string, unknown>>,
  { client, project }: Pick<FoundConfig, 'client' | 'project'>,
  home: string,
): Record<string, unknown> {
  const adapted = adaptTexts(entry) as Record<string, unknown>
  if (project === undefined || typeof adapted.command !== 'string') return adapted
  const { cwd } = adapted
  if (cwd === undefined) return { ...adapted, cwd: project }
  const isRelative = typeof cwd === 'string' && !isAbsolute(cwd) && !cwd.startsWith('${')
  return isRelative ? { ...adapted, cwd: join(project, cwd) } : adapted

  function adaptTexts(value: unknown): unknown {
    if (typeof value === 'string') return adaptText(value)
    if (Array.isArray(value)) return value.map(adaptTexts)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, adaptTexts(inner)]))
  }

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
