import type { ApiKeys } from '../../identity/api-keys.ts'
import type { Caller } from '../../identity/caller.ts'
import { type Person, readPersonId } from '../../identity/person.ts'
import { accessReport } from '../access-report.ts'
import { personalServers } from '../personal-servers.ts'
import { readPeriod } from '../read-action.ts'
import { RequestError } from '../read-request.ts'
import { keySummary } from '../team/key-summary.ts'
import { limitsReport } from '../team/limits-report.ts'
import { peopleReport } from '../team/people-report.ts'
import { readNewKey } from '../team/read-new-key.ts'
import type { KeyList, LimitsReport, NewKey, PeopleReport, PersonAccess } from '../team-api.ts'
import { nowOf, type RouteContext, type Routes } from './route.ts'

const WEEK_MS = 7 * 86_400_000

/** People, what they may use, and API keys. */
export const TEAM_ROUTES: Routes = {
  '/api/people': {
    GET: async (context): Promise<PeopleReport> => {
      const { target } = context
      const { since, until } = periodOf(context)
      return peopleReport({
        since,
        audited: target.audit?.export({ since, until }),
        history: await target.history.read({ since, until }),
      })
    },
  },
  '/api/access': {
    GET: async (context): Promise<PersonAccess> => {
      const { target, url } = context
      const profiles = Object.keys(target.config().profiles)
      const profile = url.searchParams.get('profile') ?? undefined
      if (profile !== undefined && !profiles.includes(profile)) {
        throw new RequestError(404, `There is no profile "${profile}".`)
      }
      const person = await personOf(context)
      const caller: Caller = { person, ...(profile !== undefined && { profile }) }
      const { access, gateway, cacheFolder } = target
      const personal =
        cacheFolder === undefined ? undefined : await personalServers(gateway, cacheFolder)
      const report = accessReport(access, gateway, caller, personal)
      const { name, email } = person
      const names = { ...(name !== undefined && { name }), ...(email !== undefined && { email }) }
      return { ...report, person: { ...report.person, ...names }, profiles }
    },
  },
  '/api/limits': {
    GET: async (context): Promise<LimitsReport> => {
      const { target } = context
      const { since, until } = periodOf(context)
      const refusals: string[] = []
      const refused = target.audit?.export({ since, until, outcome: 'limited' })
      for await (const { reason } of refused ?? []) if (reason) refusals.push(reason)
      return limitsReport(target.config().rateLimits, refusals, since)
    },
  },
  '/api/keys': {
    GET: async (context) => keyList(context),
    POST: {
      action: 'key.create',
      async run(context): Promise<NewKey> {
        const { target, request, person } = context
        const now = nowOf(target)
        const body: unknown = await request.json().catch(() => undefined)
        const { key, stored } = await existingKeys(context).create(readNewKey(body, person.id, now))
        return { key: keySummary(stored, now), secret: key }
      },
    },
  },
  '/api/keys/NAME': {
    DELETE: {
      action: 'key.revoke',
      async run(context): Promise<KeyList> {
        const { name } = context
        if (!(await existingKeys(context).revoke(name))) {
          throw new RequestError(404, `There is no active key "${name}".`)
        }
        return keyList(context)
      },
    },
  },
}

function periodOf({ target, url }: RouteContext) {
  const now = nowOf(target)
  return readPeriod(url, { now, defaultSince: now - WEEK_MS })
}

/**
 * The person of a request, with the groups of their latest request.
 *
 * @throws RequestError if the person has never sent one
 */
async function personOf({ target, url }: RouteContext): Promise<Person> {
  const id = url.searchParams.get('person') ?? ''
  const names = readPersonId(id)
  if (!names) throw new RequestError(400, 'The person is missing: add ?person=ID.')
  const owner = names.issuer === 'key' ? await target.keys?.ownerOf(names.subject) : undefined
  if (owner) return owner
  const known = await target.audit?.query({ person: id }, { limit: 1 })
  const [latest] = known?.entries ?? []
  if (!latest) throw new RequestError(404, 'This person has not used the gateway yet.')
  const { name, email, groups = [] } = latest
  return {
    id,
    ...names,
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    groups,
    role: 'member',
  }
}

async function keyList(context: RouteContext): Promise<KeyList> {
  const now = nowOf(context.target)
  const keys = await existingKeys(context).list()
  return { keys: keys.map((key) => keySummary(key, now)) }
}

/** @throws RequestError */
function existingKeys({ target: { keys } }: RouteContext): ApiKeys {
  if (keys) return keys
  throw new RequestError(409, 'This gateway has no API keys: set toolsearch.identity.')
}
