import { featuresOf } from '../team/features-of.ts'
import type { Me } from '../team-api.ts'
import type { Routes } from './route.ts'

/** What everybody who has signed in may ask. Each answer concerns only the person who asks. */
export const MEMBER_ROUTES: Routes = {
  '/api/me': {
    GET: async ({ target, person: { id, name, email, groups, role } }): Promise<Me> => ({
      id,
      ...(name !== undefined && { name }),
      ...(email !== undefined && { email }),
      groups,
      role,
      features: featuresOf(target),
    }),
  },
}
