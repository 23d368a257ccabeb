import { handleApi } from './handle-api.ts'
import type { Inspected } from './inspected.ts'
import { createSearchLab } from './search-lab.ts'
import { createSurvey } from './survey.ts'

/** The inspector, for whoever has a server to put it on. */
export interface Inspection {
  /** Answers what is asked of the inspector; nothing for what is not its business. Never rejects. */
  handle(request: Request): Promise<Response | undefined>
  close(): void
}

const API = '/api'

export function createInspection(inspected: Inspected): Inspection {
  const lab = createSearchLab(inspected.gateway)
  const desk = { inspected, lab, survey: createSurvey(inspected) }
  return {
    async handle(request) {
      const { pathname } = new URL(request.url)
      if (pathname === API || pathname.startsWith(`${API}/`)) return handleApi(request, desk)
      return undefined
    },
    close() {
      lab.close()
    },
  }
}
