// A server that reads everything and never answers.
process.stdin.on('end', () => process.exit(0)).resume()
