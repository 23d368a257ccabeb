import { isUtf8 } from 'node:buffer'
import {
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { SkillFiles, SkillOrigin } from '../offering/skill-files.ts'
import { isObject, type JsonObject, textOf } from '../protocol/json-object.ts'
import type { Era } from '../protocol/versions.ts'
import { mimeTypeOf } from '../skills/mime-type.ts'
import { gatewayUri } from '../skills/skill-names.ts'
import { decodePercent } from '../system/percent-encoding.ts'
import { withProtocolErrors } from './forward-request.ts'
import { reportOf } from './gate-requests.ts'
import { pageOf } from './page-of.ts'
import type { CallerRequest } from './view-contents.ts'

export interface ServeSkillsOptions {
  readonly era: Era
  /** A request with the skills that its caller may read. */
  readonly requestOf: (context: ServerContext) => Pick<CallerRequest, 'view'>
}

const CACHE = { ttlMs: 60_000, cacheScope: 'private' } as const

/** Validated by the handlers themselves. */
const ANY_PARAMS = {
  '~standard': {
    version: 1,
    vendor: 'toolsearch',
    validate: (value: unknown) => ({ value: isObject(value) ? value : {} }),
  },
} as const

/** Handles the methods of the extension `io.modelcontextprotocol/skills` on one connection. */
export function serveSkills(server: Server, { era, requestOf }: ServeSkillsOptions): void {
  const modern = era === 'modern' ? { resultType: 'complete', ...CACHE } : {}

  function handle(
    method: string,
    answer: (
      params: JsonObject,
      skills: SkillFiles,
      context: ServerContext,
    ) => JsonObject | Promise<JsonObject>,
  ): void {
    server.setRequestHandler(method, { params: ANY_PARAMS }, (params, context) => {
      return answer(params as JsonObject, requestOf(context).view.skills, context) as never
    })
  }

  handle('skills/list', ({ cursor }, skills) => {
    const { items, ...next } = pageOf(skills.list().map(toEntry), cursor as string | undefined)
    return { skills: items, ...next, ...modern }
  })

  handle('skills/get', async ({ uri }, skills, context) => {
    const { signal } = context.mcpReq
    const onSent = reportOf(context)?.sent
    const asked = skills.fetch(String(uri), { signal, onSent, isFresh: true })
    const found = await withProtocolErrors(asked)
    if (found?.path !== 'SKILL.md' || found.uri !== uri || !skills.isOffered(found.origin)) {
      report(skills, String(uri), context)
      throw notFound(`No skill is served at ${textOf(uri)}.`)
    }
    return { skill: toEntry(found.origin), ...modern }
  })

  handle('resources/directory/read', async ({ uri, cursor }, skills, context) => {
    const { signal } = context.mcpReq
    const folder = String(uri).replace(/\/$/, '')
    // The folder may be one of a skill that no list contains.
    await withProtocolErrors(skills.fetch(folder, { signal, onSent: reportOf(context)?.sent }))
    const children = childrenOf(folder, skills)
    if (children.length === 0) throw notFound(`${textOf(uri)} is not a directory resource.`)
    const { items, ...next } = pageOf(children, cursor as string | undefined)
    return { resources: items, ...next, ...(era === 'modern' && { resultType: 'complete' }) }
  })
}

/** Reads a file of a skill under the URI of the gateway. Undefined if there is none. */
export async function readSkillResource(
  uri: string,
  { view }: Pick<CallerRequest, 'view'>,
  context: ServerContext,
): Promise<JsonObject | undefined> {
  const { signal } = context.mcpReq
  const { sent: onSent, decided: onDecision } = reportOf(context) ?? {}
  const found = await view.skills.fetch(uri, { signal, onSent })
  // The gateway also finds skills by their names, and files by names that are not encoded.
  if (!found || (decodePercent(found.uri) ?? found.uri) !== (decodePercent(uri) ?? uri)) {
    report(view.skills, uri, context)
    return undefined
  }
  const content = await view.skills.read(found, { signal, onSent, onDecision })
  if ('problem' in content)
    throw new ProtocolError(ProtocolErrorCode.InternalError, content.problem)
  const mimeType = mimeTypeOf(found.path)
  const isText =
    (mimeType.startsWith('text/') || mimeType === 'application/json') && isUtf8(content)
  const body = isText ? { text: content.toString('utf8') } : { blob: content.toString('base64') }
  return { contents: [{ uri, mimeType, ...body }] }
}

/** Adds the `SKILL.md` of each skill, under the URI of the gateway. */
export function withSkillResources(
  resources: readonly JsonObject[],
  skills: SkillFiles,
): readonly JsonObject[] {
  const own = skills.list().map(({ name, skill: { entry } }) => ({
    uri: gatewayUri(name, 'SKILL.md'),
    name: entry.frontmatter.name,
    description: entry.frontmatter.description,
    mimeType: mimeTypeOf('SKILL.md'),
  }))
  return [...resources, ...own]
}

function report(skills: SkillFiles, uri: string, context: ServerContext): void {
  const onDecision = reportOf(context)?.decided
  if (onDecision) skills.reportHidden(uri, onDecision)
}

function toEntry({ name, skill: { entry } }: SkillOrigin): JsonObject {
  const { frontmatter, resources, uri: own } = entry
  const root = own.length - 'SKILL.md'.length
  return {
    uri: gatewayUri(name, 'SKILL.md'),
    frontmatter,
    resources: resources.map(({ uri, digest, size }) => ({
      uri: gatewayUri(name, uri.slice(root)),
      digest,
      size,
    })),
  }
}

/** The files and folders directly inside a folder, of all skills that the caller may read. */
function childrenOf(uri: string, skills: SkillFiles): JsonObject[] {
  const children = new Map<string, JsonObject>()
  const all = [...skills.list(), ...skills.unlisted().filter(skills.isOffered)]
  for (const file of all.flatMap(skills.filesOf)) {
    if (!file.uri.startsWith(`${uri}/`)) continue
    const [name = '', ...rest] = file.uri.slice(uri.length + 1).split('/')
    const isFolder = rest.length > 0
    const child = { uri: `${uri}/${name}`, name }
    children.set(
      name,
      isFolder
        ? { ...child, mimeType: 'inode/directory' }
        : { ...child, mimeType: mimeTypeOf(name), size: file.file.size },
    )
  }
  return [...children].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, child]) => child)
}

function notFound(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}
