import type { Me } from '../api.ts'
import type { Routes } from './route.ts'

/** What everybody who has signed in may ask. Each answer concerns only the person who asks. */
export const MEMBER_ROUTES: Routes = {
  '/api/me': {
    GET: async ({ person: { id, name, email, groups, role } }): Promise<Me> => ({
      id,
      ...(name !== undefined && { name }),
      ...(email !== undefined && { email }),
      groups,
      role,
    }),
  },
}
