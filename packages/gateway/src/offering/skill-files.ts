import type { Decision, Rights } from '../access/rights.ts'
import { uriSpellings } from '../access/uri-spellings.ts'
import type { RequestOptions } from '../protocol/request-options.ts'
import type { SkillEntry, SkillFile } from '../skills/skill-entry.ts'
import { type SkillFolderUris, skillFolderUris } from '../skills/skill-folder-uris.ts'
import { fileOf, gatewayUri, isSkillName, nameOfUri } from '../skills/skill-names.ts'
import { bytesIn, verifyFile } from '../skills/verify-file.ts'
import { decodePercent } from '../system/percent-encoding.ts'
import { approvalNeeded } from './approval-needed.ts'
import type { SkillTexts } from './approvals/skill-texts.ts'
import type { CallTarget } from './gateway-view.ts'
import type { OfferedSkill } from './offer-plan.ts'
import type { SharedTools } from './shared-tools.ts'
import type { ToolOrigin } from './synced-tools.ts'
import { createUnlistedSkills } from './unlisted-skills.ts'
import type { UpstreamSet } from './upstream-set.ts'
import { decisionOn, type VisibleTools } from './visible-tools.ts'

/** A skill that the callers of a view may read. */
export type SkillOrigin = ToolOrigin & { readonly skill: OfferedSkill }

/** A file of a skill, under the names of the gateway. */
export interface FoundFile {
  readonly origin: SkillOrigin
  readonly file: SkillFile
  /** `SKILL.md`, or a path such as `references/GUIDE.md`. */
  readonly path: string
  /** The URI of the gateway. */
  readonly uri: string
}

/** The skills of one view, and their files. What its callers may not use does not exist here. */
export interface SkillFiles {
  list(): readonly SkillOrigin[]
  /** Whether a skill is in the list: models may read it. */
  isOffered(origin: SkillOrigin): boolean
  /**
   * Whether a resource of a server belongs to one of its skills, also to one that the caller may not
   * read. It is read as a file of the skill or not at all: a plain resource is neither approved nor
   * verified.
   */
  isSkillFile(server: string, uri: string): boolean
  /** A file by the name of its skill, by its own name, or by its URI. */
  find(nameOrUri: string): FoundFile | undefined
  /**
   * Like `find`, and asks the server for a skill that it does not list. Rejects if the server does not
   * answer.
   */
  fetch(nameOrUri: string, options?: FetchOptions): Promise<FoundFile | undefined>
  /** Skills that callers have fetched, and that no list contains. */
  unlisted(): readonly SkillOrigin[]
  /** The files of a skill. */
  filesOf(origin: SkillOrigin): readonly FoundFile[]
  /** Reads a file and compares it with its digest. Rejects if the request to the server does. */
  read(file: FoundFile, options?: ReadFileOptions): Promise<Buffer | { readonly problem: string }>
  /** Reports to administrators that somebody asked for a skill that exists, but not for this caller. */
  reportHidden(nameOrUri: string, onDecision: OnDecision): void
}

type OnDecision = (target: CallTarget, decision: Decision) => void

interface ServerRequestOptions extends Pick<RequestOptions, 'signal'> {
  /** Runs before each request to the server. Must not throw. */
  readonly onSent?: (() => void) | undefined
}

interface FetchOptions extends ServerRequestOptions {
  /** Asks for an unlisted skill even if it is known. @default false */
  readonly isFresh?: boolean
}

export interface ReadFileOptions extends ServerRequestOptions {
  readonly onDecision?: OnDecision | undefined
  /** A person reads the skill to decide about it, so it needs no approval. */
  readonly isReview?: boolean
}

export interface SkillFilesOptions {
  readonly shared: SharedTools
  /** Where to keep what was read, for people who review changes. */
  readonly texts: SkillTexts
  readonly tools: VisibleTools
  readonly servers: UpstreamSet
  readonly rights: Rights
}

const MAX_NAME = 4_096
/** How many folders of a path may be the skill that contains a file. Each takes a request. */
const MAX_ASKED = 4

export function createSkillFiles(options: SkillFilesOptions): SkillFiles {
  const { shared, texts, tools, servers, rights } = options
  const unlisted = createUnlistedSkills(options)

  function find(nameOrUri: string): FoundFile | undefined {
    shared.indexAll()
    return search(nameOrUri, (name) => tools.origin(name) ?? unlisted.get(name))
  }

  function isListed({ server, skill }: SkillOrigin): boolean {
    const skills = servers.upstreams.get(server)?.skills ?? []
    return skills.some(({ uri }) => uri === skill.entry.uri)
  }

  return {
    list() {
      shared.indexAll()
      // The order in which servers connect must not matter.
      return tools
        .skills()
        .filter(isSkill)
        .sort((one, other) => (one.name < other.name ? -1 : 1))
    },
    isOffered: (origin) => !shared.isWithheld(origin),
    isSkillFile(server, uri) {
      const skills = servers.upstreams.get(server)?.skills ?? []
      return skills.length > 0 && foldersOf(skills).includes(uriSpellings(uri))
    },
    find,
    async fetch(nameOrUri, { isFresh = false, onSent, ...request } = {}) {
      const found = find(nameOrUri)
      if (found && (!isFresh || isListed(found.origin))) return found
      for (const name of possibleSkills(nameOrUri)) {
        if (await unlisted.ask(name, request, onSent)) return find(nameOrUri)
      }
      return undefined
    },
    unlisted: () => unlisted.all().filter(isSkill),
    filesOf,
    async read({ origin, file, path }, options = {}) {
      const { onDecision, onSent, isReview = false, ...request } = options
      const { uri, digest } = file
      const { server, name, skill } = origin
      onDecision?.(targetOf(origin), decisionOn(rights, origin))
      if (!isReview && shared.isWithheld(origin)) {
        // It may have been accepted in another process.
        await shared.refreshApprovals()
        if (shared.isWithheld(origin)) return { problem: approvalNeeded(shared, origin) }
      }
      const upstream = servers.upstreams.get(server)
      if (!upstream) return { problem: `The server of "${name}" is not available.` }
      onSent?.()
      const bytes = bytesIn(await upstream.request('resources/read', { uri }, request), uri)
      const problem = bytes
        ? await verifyFile(skill.entry, uri, bytes)
        : 'the server returned no content'
      if (bytes && problem === undefined) {
        // Nobody else reads what a server of one person has.
        if (shared.origin(name)) texts.keep(digest, bytes)
        return bytes
      }
      unlisted.forget(name)
      // The skill may have been updated: then its new entry has other digests, and needs approval.
      void upstream.refreshTools()
      return {
        problem: `"${path}" of "${name}" was not used: ${problem}. If the skill was updated, search again.`,
      }
    },
    reportHidden(nameOrUri, onDecision) {
      const found = search(nameOrUri, (name) => tools.decide(name)?.origin)
      const decision = found && decisionOn(rights, found.origin)
      if (found && decision && !decision.isAllowed) onDecision(targetOf(found.origin), decision)
    },
  }
}

/** The names of skills that a name or URI may be about, the most likely first. */
function possibleSkills(nameOrUri: string): readonly string[] {
  const name = isSkillName(nameOrUri) ? nameOrUri : nameOfUri(nameOrUri)
  if (name === undefined || name.length > MAX_NAME) return []
  if (name.endsWith('/SKILL.md')) return [name.slice(0, -'/SKILL.md'.length)]
  const [server, ...path] = name.split('/')
  return path
    .map((_, at) => [server, ...path.slice(0, path.length - at)].join('/'))
    .slice(0, MAX_ASKED)
}

function filesOf(origin: SkillOrigin): readonly FoundFile[] {
  const { entry } = origin.skill
  return entry.resources.map((file) => {
    const path = fileOf(entry.uri, file.uri)
    return { origin, file, path, uri: gatewayUri(origin.name, path) }
  })
}

function search(
  nameOrUri: string,
  originOf: (name: string) => ToolOrigin | undefined,
): FoundFile | undefined {
  const name = isSkillName(nameOrUri) ? nameOrUri : nameOfUri(nameOrUri)
  if (name === undefined || name.length > MAX_NAME) return undefined
  const whole = originOf(name)
  if (whole && isSkill(whole)) return filesOf(whole).find(({ path }) => path === 'SKILL.md')
  // A nested skill is found before the skill around it.
  for (let end = name.lastIndexOf('/'); end > 0; end = name.lastIndexOf('/', end - 1)) {
    const origin = originOf(name.slice(0, end))
    if (!origin || !isSkill(origin)) continue
    const path = name.slice(end + 1)
    const files = filesOf(origin)
    // Texts mention files as they are on disk, without the encoding of URIs.
    return (
      files.find((each) => each.path === path) ??
      files.find((each) => decodePercent(each.path) === path)
    )
  }
  return undefined
}

/** By list: a server has the same list until its skills change. */
const knownFolders = new WeakMap<readonly SkillEntry[], SkillFolderUris>()

function foldersOf(skills: readonly SkillEntry[]): SkillFolderUris {
  const folders = knownFolders.get(skills) ?? skillFolderUris(skills)
  knownFolders.set(skills, folders)
  return folders
}

function isSkill(origin: ToolOrigin): origin is SkillOrigin {
  return origin.skill !== undefined
}

function targetOf({ server, skill }: SkillOrigin): CallTarget {
  return { kind: 'skill', server, name: skill.path }
}
