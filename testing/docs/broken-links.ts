import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The relative links of a page that lead to no file in `folder`, or to no heading of a page. */
export function brokenLinks(folder: string, page: string): string[] {
  const text = readFileSync(join(folder, page), 'utf8')
  const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!)
  return links.filter((link) => !/^https?:/.test(link) && !resolves(folder, page, link))
}

function resolves(folder: string, page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : join(dirname(page), path)
  if (target.startsWith('..') || !existsSync(join(folder, target))) return false
  return anchor === undefined || anchors(readFileSync(join(folder, target), 'utf8')).has(anchor)
}

/** The anchors of a page's headings, as GitHub and npm make them. */
function anchors(page: string): Set<string> {
  const headings = [...withoutCode(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading!)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

function withoutCode(page: string): string {
  return page.replace(/^```.*?^```$/gms, '')
}
