/** How much a message matters to the people who run the gateway. */
type Severity = 'info' | 'warn' | 'error'

/**
 * Receives a message for the people who run the gateway. Must not throw.
 *
 * - `info`: something works again
 * - `warn`: something works worse than configured
 * - `error`: data is lost, or a store that requests need cannot be used
 *
 * @param severity `warn` if there is none
 */
export type Report = (message: string, severity?: Severity) => void
