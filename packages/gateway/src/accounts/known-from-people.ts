import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createManifestCache, type Manifest } from '../upstreams/manifest-cache.ts'

/** Enough to know the tools, without reading the files of ten thousand people. */
const MAX_PEOPLE = 100

/**
 * The tools and skills that a server has sent to people who connected to it with their own credentials, each
 * once. They can be outdated, and other people may get others: for administrators only.
 *
 * @param folder the cache of `createPersonManifests`
 */
export async function knownFromPeople(
  folder: string,
  server: string,
): Promise<Required<Pick<Manifest, 'tools' | 'skills'>>> {
  const people = await readdir(folder).catch(() => [])
  const manifests = await Promise.all(
    people
      .slice(0, MAX_PEOPLE)
      .map((person) => createManifestCache(join(folder, person)).read(server)),
  )
  const tools = manifests.flatMap((manifest) => manifest?.tools ?? [])
  const skills = manifests.flatMap((manifest) => manifest?.skills ?? [])
  return {
    tools: [...new Map(tools.map((tool) => [tool.name, tool])).values()],
    skills: [...new Map(skills.map((skill) => [skill.uri, skill])).values()],
  }
}
