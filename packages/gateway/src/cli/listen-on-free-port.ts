/** The port of `serve --http` unless another is given, so that clients find the gateway after a restart. */
export const DEFAULT_PORT = 7777

/** How many ports to try, for several gateways on one machine. */
const ATTEMPTS = 20

/** Listens on the first port from 7777 that is free, or on any free port if all of them are in use. */
export async function listenOnFreePort<T>(
  listen: (port: number) => Promise<T>,
  onInUse: (port: number) => void = () => {},
): Promise<T> {
  for (let port = DEFAULT_PORT; port < DEFAULT_PORT + ATTEMPTS; port++) {
    try {
      return await listen(port)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      onInUse(port)
    }
  }
  return listen(0)
}
