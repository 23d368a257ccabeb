import { basename, isAbsolute, join, sep } from 'node:path'
import type { FoundConfig } from './find-client-configs.ts'

/**
 * An entry as it must be written in our file to mean what it means in its client's: variables that
 * only the client knows become paths, `${…}` that it would hand on is handed on, and a server of a
 * project starts in its folder.
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
  const relative = typeof cwd === 'string' && !isAbsolute(cwd) && !cwd.startsWith('${')
  return relative ? { ...adapted, cwd: join(project, cwd) } : adapted

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
