import type { Identity } from './identity.ts'
import type { Person } from './person.ts'

/** The person whose browser sends a request, by the cookie of the page. Other credentials don't count. */
export async function signedInPerson(
  identity: Pick<Identity, 'authenticate'>,
  { headers }: Request,
): Promise<Person | undefined> {
  const cookie = headers.get('cookie') ?? undefined
  const found = await identity.authenticate({ headers: { cookie }, path: '/' })
  return 'person' in found ? found.person : undefined
}
