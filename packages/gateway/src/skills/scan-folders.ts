import type { Dirent } from 'node:fs'
import { lstat, readdir, readFile, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { decodeText } from './decode-text.ts'
import { linkedSkills } from './linked-skills.ts'
import { readFrontmatter } from './read-frontmatter.ts'
import {
  frontmatterProblem,
  MAX_BYTES,
  MAX_FILES,
  type SkillEntry,
  type SkillFile,
  type SkillFrontmatter,
} from './skill-entry.ts'
import { digestOf } from './verify-file.ts'

/** A skill in a folder on this machine. */
interface FolderSkill {
  readonly entry: SkillEntry
  /** The paths of its files by URI. */
  readonly files: ReadonlyMap<string, string>
  /** The Markdown of its `SKILL.md`. */
  readonly body: string
}

/** A folder or a `SKILL.md` that cannot be offered, and why. */
export interface SkillProblem {
  readonly file: string
  /** Absent for a folder. */
  readonly line?: number
  readonly message: string
}

/** Receives a file that was read. Must not throw. */
export type OnFile = (digest: string, bytes: Uint8Array) => void

/** Where a problem is, as editors and terminals link it. */
export function placeOfProblem({ file, line }: SkillProblem): string {
  return line === undefined ? file : `${file}:${line}`
}

export interface ScannedSkills {
  readonly skills: readonly FolderSkill[]
  readonly problems: readonly SkillProblem[]
}

const MAX_DEPTH = 8
const MAX_SKILLS = 1_000
/** A larger file would fill the context of a model. */
const MAX_SKILL_FILE = 1024 * 1024
const IGNORED = new Set(['node_modules'])

/**
 * Finds the skills in folders: the folders with a `SKILL.md`, at any depth. Symbolic links and hidden
 * files are ignored, so that nothing outside of the given folders is served.
 *
 * @param onFile receives each file of a valid skill
 */
export async function scanFolders(
  folders: readonly string[],
  onFile: OnFile = () => {},
): Promise<ScannedSkills> {
  const skills = new Map<string, FolderSkill>()
  const problems: SkillProblem[] = []
  const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)))
  for (const folder of folders) await scan(folder)
  return { skills: [...skills.values()], problems }

  async function scan(folder: string): Promise<void> {
    let root: string
    try {
      root = await realpath(folder)
      const { found, links, misnamed } = await findSkillFiles(root)
      // A folder can be a skill itself.
      const base = found.includes(join(root, 'SKILL.md')) ? join(root, '..') : root
      for (const file of found) await add(file, base)
      for (const file of misnamed) report(file, 'The name of the file must be SKILL.md.')
      const linked = await linkedSkills(links, roots)
      for (const message of linked) problems.push({ file: folder, message })
      if (found.length + links.length + misnamed.length === 0) {
        const message = '0 skills: neither the folder nor a folder in it has a SKILL.md.'
        problems.push({ file: folder, message })
      }
      if (found.length >= MAX_SKILLS) {
        problems.push({ file: folder, message: `Only the first ${MAX_SKILLS} skills are offered.` })
      }
    } catch (error) {
      problems.push({ file: folder, message: folderProblem(error) })
    }
  }

  function report(file: string, message: string, line = 1): void {
    problems.push({ file, line, message })
  }

  async function add(file: string, base: string): Promise<void> {
    const folder = join(file, '..')
    const path = toPath(relative(base, folder))
    const uri = `skill://${path}/SKILL.md`
    const first = skills.get(uri)?.files.get(uri)
    if (first) return report(file, `The skill "${path}" is offered from ${join(first, '..')}.`)
    const bytes = await readFile(file)
    if (bytes.length > MAX_SKILL_FILE) return report(file, 'The file is larger than 1 MB.')
    const text = decodeText(bytes)
    if (text === undefined) return report(file, 'The file is not UTF-8. Save it in this encoding.')
    const read = await readFrontmatter(text)
    if ('problem' in read) return report(file, read.problem, read.line)
    const problem = frontmatterProblem(read.frontmatter, path)
    if (problem !== undefined) {
      const field = /^The name |"name"/.test(problem) ? 'name' : 'description'
      return report(file, problem, lineOf(text, field))
    }
    const files = await readFiles(folder, `skill://${path}`, onFile)
    if (typeof files === 'string') return report(file, files)
    const frontmatter = read.frontmatter as SkillFrontmatter
    skills.set(uri, {
      entry: { uri, frontmatter, resources: files.map(({ listed }) => listed) },
      files: new Map(files.map(({ listed, path: place }) => [listed.uri, place])),
      body: read.body,
    })
  }
}

function folderProblem(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOTDIR') return 'This is a file. Write the path of the folder that contains it.'
  return code === 'ENOENT' ? 'The folder does not exist.' : message
}

function lineOf(text: string, field: string): number {
  const at = text.split('\n').findIndex((line) => line.startsWith(`${field}:`))
  return at < 0 ? 1 : at + 1
}

/** The files of skills, symbolic links, and files whose name differs from `SKILL.md` in case only. */
async function findSkillFiles(
  root: string,
): Promise<{ found: string[]; links: string[]; misnamed: string[] }> {
  const found: string[] = []
  const misnamed: string[] = []
  const links: string[] = []
  async function visit(folder: string, depth: number): Promise<void> {
    for (const entry of await list(folder)) {
      if (found.length >= MAX_SKILLS) return
      const path = join(folder, entry.name)
      if (entry.isSymbolicLink() && links.length < MAX_SKILLS) links.push(path)
      if (entry.isFile() && entry.name === 'SKILL.md') found.push(path)
      else if (entry.isFile() && entry.name.toUpperCase() === 'SKILL.MD') misnamed.push(path)
      else if (entry.isDirectory() && depth < MAX_DEPTH) await visit(path, depth + 1)
    }
  }
  await visit(root, 0)
  return { found, links, misnamed }
}

async function readFiles(
  folder: string,
  root: string,
  onFile: OnFile,
): Promise<{ listed: SkillFile; path: string }[] | string> {
  const files: { listed: SkillFile; path: string }[] = []
  let total = 0
  async function visit(at: string, depth: number): Promise<string | undefined> {
    for (const entry of await list(at)) {
      const path = join(at, entry.name)
      if (entry.isDirectory() && depth < MAX_DEPTH) {
        const problem = await visit(path, depth + 1)
        if (problem) return problem
      }
      if (!entry.isFile()) continue
      const { size } = await lstat(path)
      total += size
      if (files.length === MAX_FILES) return `The skill has more than ${MAX_FILES} files.`
      if (total > MAX_BYTES) return 'The files of the skill have more than 16 MB.'
      const bytes = await readFile(path)
      const uri = `${root}/${toPath(relative(folder, path))}`
      const digest = digestOf(bytes)
      onFile(digest, bytes)
      files.push({ listed: { uri, digest, size: bytes.length }, path })
    }
    return undefined
  }
  const problem = await visit(folder, 0)
  return problem ?? files.sort((a, b) => (a.listed.uri < b.listed.uri ? -1 : 1))
}

/** Changes whenever a file in one of the folders is added, written or removed. Reads no file. */
export async function folderState(folders: readonly string[]): Promise<string> {
  const state: string[] = []
  async function visit(folder: string, depth: number): Promise<void> {
    for (const entry of await list(folder)) {
      const path = join(folder, entry.name)
      if (entry.isDirectory() && depth < 2 * MAX_DEPTH) await visit(path, depth + 1)
      if (!entry.isFile()) continue
      const { mtimeMs, size, ino } = await lstat(path)
      state.push(`${path} ${mtimeMs} ${size} ${ino}`)
    }
  }
  for (const folder of folders) {
    try {
      await visit(await realpath(folder), 0)
    } catch (error) {
      state.push(`${folder} ${(error as NodeJS.ErrnoException).code}`)
    }
  }
  return state.join('\n')
}

async function list(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries
    .filter(({ name }) => !name.startsWith('.') && !IGNORED.has(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Letters such as "ö" stay as they are: the extension compares the last folder with the name of the skill. */
function toPath(path: string): string {
  return path
    .normalize('NFC')
    .split(sep)
    .map((segment) => segment.replace(/[^\p{L}\p{N}._~-]/gu, encodeURIComponent))
    .join('/')
}
