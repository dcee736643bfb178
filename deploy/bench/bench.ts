/**
 * `npm run bench [-- FILES]` measures scans, `npm run bench -- questions [--large]` what is asked of snapshots,
 * `npm run bench -- replay` how long the event log takes to fold, `npm run bench -- live` what is pushed to browsers,
 * `npm run bench -- wall [--minutes 60]` whether a wall's memory stays flat, `npm run bench -- screens` how quick screens are,
 * `npm run bench -- objects [KEYS]` how long a bucket takes beside rclone, `npm run bench -- powerscale [ENTRIES]` full and delta scans of a cluster, `npm run bench -- projects [--large]` what is asked of
 * projects, `npm run bench -- reports [--files N]` how long a report takes that finds duplicates.
 */
if (process.argv[2] === 'questions') await import('./questions/questions.ts')
else if (process.argv[2] === 'replay') await import('./replay/replayBench.ts')
else if (process.argv[2] === 'live') await import('./live/live.ts')
else if (process.argv[2] === 'wall') await import('./wall/wall.ts')
else if (process.argv[2] === 'screens') await import('./screens/screens.ts')
else if (process.argv[2] === 'objects') await import('./objects/objects.ts')
else if (process.argv[2] === 'powerscale') await import('./power-scale/powerScale.ts')
else if (process.argv[2] === 'reports') await import('./reports/reports.ts')
else if (process.argv[2] === 'projects') await import('./projects/projects.ts')
else await import('./treeBench.ts')
