/**
 * `npm run bench [-- FILES]` measures scans, `npm run bench -- questions [--large]` queries of snapshots, `npm run
 * bench -- replay` folding the event log, `npm run bench -- live` pushing events to browsers, `npm run bench -- replicas` the same of two servers, `npm run bench -- wall
 * [--minutes 60]` the memory of a wall display, `npm run bench -- screens` the speed of screens, `npm run bench --
 * objects [KEYS]` scanning a bucket compared with rclone,
 * `npm run bench -- powerscale [ENTRIES]` full and delta scans of a cluster, `npm run bench -- projects [--large]` queries of projects,
 * `npm run bench -- reports [--files N]` a report of duplicates, `npm run bench -- archiving [FILES]` an archive job,
 * `npm run bench -- slow` walks of a file system with high latency.
 */
if (process.argv[2] === 'questions') await import('./questions/questions.ts')
else if (process.argv[2] === 'replay') await import('./replay/replayBench.ts')
else if (process.argv[2] === 'live') await import('./live/live.ts')
else if (process.argv[2] === 'replicas') await import('./replicas/replicas.ts')
else if (process.argv[2] === 'wall') await import('./wall/wall.ts')
else if (process.argv[2] === 'screens') await import('./screens/screens.ts')
else if (process.argv[2] === 'objects') await import('./objects/objects.ts')
else if (process.argv[2] === 'powerscale') await import('./power-scale/powerScale.ts')
else if (process.argv[2] === 'archiving') await import('./actions/archiving.ts')
else if (process.argv[2] === 'reports') await import('./reports/reports.ts')
else if (process.argv[2] === 'projects') await import('./projects/projects.ts')
else if (process.argv[2] === 'slow') await import('./slow/slow.ts')
else await import('./treeBench.ts')
