/** `npm run bench [-- FILES]` measures scans, `npm run bench -- questions [--large]` what is asked of snapshots. */
if (process.argv[2] === 'questions') await import('./questions/questions.ts')
else await import('./treeBench.ts')
