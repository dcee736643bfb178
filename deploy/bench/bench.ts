/**
 * `npm run bench [-- FILES]` measures scans, `npm run bench -- questions [--large]` what is asked of snapshots,
 * `npm run bench -- replay` how long the event log takes to fold, `npm run bench -- live` what is pushed to browsers.
 */
if (process.argv[2] === 'questions') await import('./questions/questions.ts')
else if (process.argv[2] === 'replay') await import('./replay/replayBench.ts')
else if (process.argv[2] === 'live') await import('./live/live.ts')
else await import('./treeBench.ts')
