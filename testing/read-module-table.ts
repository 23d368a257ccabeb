import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * Reads the first table below a heading such as `## Modules of the library`: the module in the
 * first column, the modules it imports in the last. Backticks and trailing slashes are dropped; a
 * cell with a dash or "none" is an empty list.
 */
export function readModuleTable(markdown: string, heading: string): Map<string, string[]> {
  const lines = markdown.split('\n')
  const start = lines.indexOf(heading)
  if (start < 0) throw new Error(`There is no heading "${heading}".`)
  const first = lines.findIndex((line, index) => index > start && line.startsWith('|'))
  const table = lines.slice(first)
  const end = table.findIndex((line) => !line.startsWith('|'))
  const rows = table.slice(2, end < 0 ? undefined : end).map((line) => line.split('|').slice(1, -1))
  return new Map(rows.map((cells) => [moduleName(cells[0]!), moduleNames(cells.at(-1)!)]))
}

/**
 * What each module imports from the others. A folder is a module; so is a file that lies directly
 * in `srcFolder`, under its file name. Tests, contract suites and fixtures do not count.
 */
export function importsBetweenModules(srcFolder: string): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>()
  for (const file of sourceFiles(srcFolder)) {
    const importer = moduleOf(file)
    const imported = imports.get(importer) ?? new Set()
    imports.set(importer, imported)
    const source = readFileSync(join(srcFolder, file), 'utf8')
    for (const [, path] of source.matchAll(/(?:from |import |import\()'(\.\.?\/[^']+)'/g)) {
      const module = moduleOf(relative(srcFolder, join(srcFolder, dirname(file), path!)))
      if (module !== importer) imported.add(module)
    }
  }
  return imports
}

function sourceFiles(srcFolder: string): string[] {
  return readdirSync(srcFolder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.(test|cases|fixtures|d)\.ts$/.test(file),
  )
}

function moduleOf(file: string): string {
  return file.split('/')[0]!
}

function moduleName(cell: string): string {
  return cell.replaceAll('`', '').trim().replace(/\/$/, '')
}

function moduleNames(cell: string): string[] {
  const names = cell.split(',').map(moduleName)
  return names.filter((name) => !['', '-', '–', '—', 'none'].includes(name)).sort()
}
