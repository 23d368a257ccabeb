import { readCodeBlocks } from './code-blocks.ts'

/**
 * The commands that a page tells its readers to run, in words: from its shell blocks, from the
 * `run` steps of its YAML blocks, and from inline code that starts with `toolsearch`. Of a pipeline,
 * only the first command.
 */
export function readCommands(page: string): string[][] {
  const blocks = readCodeBlocks(page).filter(({ language }) => ['sh', 'yaml'].includes(language))
  const lines = blocks.flatMap(({ text }) => text.replaceAll('- run: ', '').trim().split('\n'))
  const inline = [...page.matchAll(/`(toolsearch [a-z][^`]*)`/g)].map(([, command]) => command!)
  return [...lines, ...inline].map(words).filter((command) => command.length > 0)
}

/** Splits a command line at spaces, keeps quoted words whole, and stops at a comment or a pipe. */
function words(line: string): string[] {
  const all = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
  const end = all.findIndex(([word]) => word === '|' || word.startsWith('#'))
  return all
    .slice(0, end === -1 ? all.length : end)
    .map(([, double, single, bare]) => double ?? single ?? bare!)
}

/** The packages that `npm install` commands of a page install from the registry, as `name` or `name@version`. */
export function installedPackages(page: string): string[] {
  return readCommands(page)
    .filter(([program, verb]) => program === 'npm' && verb === 'install')
    .flatMap(([, , ...rest]) => rest.filter((word) => !/^[-.]/.test(word)))
}

/** `ai@7` → `ai` */
export function packageName(spec: string): string {
  return spec.replace(/(?<=.)@.*$/, '')
}
