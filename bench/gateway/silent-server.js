// A server that reads everything and never responds.
process.stdin.on('end', () => process.exit(0)).resume()
