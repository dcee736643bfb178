/** `npm run bench [-- FILES]` measures scans, `npm run bench -- questions [--large]` what is asked of snapshots,
 * `npm run bench -- replay` how long the event log takes to fold. */
if (process.argv[2] === 'questions') await import('./questions/questions.ts')
else if (process.argv[2] === 'replay') await import('./replay/replayBench.ts')
else await import('./treeBench.ts')
