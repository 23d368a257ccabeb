import { join } from 'node:path'
import { isPersonal } from '../accounts/account-servers.ts'
import { knownFromPeople } from '../accounts/known-from-people.ts'
import type { Gateway } from '../offering/gateway.ts'
import { planOffer } from '../offering/offer-plan.ts'
import { offerSkills } from '../offering/offer-skills.ts'
import type { PersonalServers } from './access-report.ts'

/**
 * The servers with credentials of people whose tools are not in the catalogue, and what is known of them.
 *
 * @param cacheFolder the folder of the gateway for data that can be fetched again
 */
export async function personalServers(
  { config, toolSearch, origin }: Pick<Gateway, 'config' | 'toolSearch' | 'origin'>,
  cacheFolder: string,
): Promise<PersonalServers> {
  const personal = config.servers.filter(isPersonal)
  if (personal.length === 0) return { known: [], unknown: [] }
  const shared = new Set(toolSearch.catalogue.tools().map(({ name }) => origin(name)?.server))
  const plan = planOffer(config)
  const found = await Promise.all(
    personal
      .filter(({ name }) => !shared.has(name))
      .map(async ({ name }) => {
        const { tools, skills } = await knownFromPeople(
          join(cacheFolder, 'manifests', 'people'),
          name,
        )
        return {
          name,
          isKnown: tools.length + skills.length > 0,
          offered: [...plan.offer(name, tools).offered, ...offerSkills(name, skills)],
        }
      }),
  )
  return {
    known: found.flatMap(({ offered }) => offered),
    unknown: found.filter(({ isKnown }) => !isKnown).map(({ name }) => name),
  }
}
