import { sendSignsOfLife } from '../signsOfLife.ts'

/* Sends signs of life as the server does. On SIGUSR2 it hangs; after execve, it is another one with the same ID. */
sendSignsOfLife(50)
process.on('SIGUSR2', () => {
  for (;;);
})
process.on('SIGHUP', () =>
  process.execve?.(process.execPath, [process.execPath, ...process.argv.slice(1)], process.env),
)
setInterval(() => {}, 60_000)
process.stdout.write('started\n')
