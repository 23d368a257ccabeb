/** How a service refuses a request: its status and its error body. */
export interface Problem {
  status: number
  body: unknown
}
