import { timed } from '../../kit/samples.ts'
import { defineTool } from '../../kit/tool.ts'
import { snapshotDates } from './fill/calendar.ts'
import { makeProjects, waitForFigures } from './fill/projects.ts'
import { type Kind, variants } from './kinds.ts'
import { fillOptions, measureKinds, openFilled } from './questions.ts'

/**
 * `npm run bench -- projects [--large]`: creates projects in the data of the bench of queries, waits until their
 * figures are counted, and prints the time of that and of each kind of query about them.
 * `--entries N`, `--data FOLDER` and `--each` as for queries; `--projects N` is the number of projects, each with
 * `--folders N` folders.
 */
export const tool = defineTool({
  options: { ...fillOptions, projects: 100, folders: 100, each: false },
  async run(given) {
    const { platform, client } = await openFilled(given)
    const { seconds, result: figures } = await timed(async () => {
      await makeProjects(platform, given)
      return waitForFigures(platform.db)
    })
    console.log(`\n${figures} figures of folders and dates, ${seconds.toFixed(1)} s after creating the first project`)
    const projects = platform.db.selectFrom('projects')
    const { id } = await projects.select('id').orderBy('id').limit(1).executeTakeFirstOrThrow()
    await measureKinds(kindsOf(`/v1/projects/${id}`), client, platform, given)
  },
})

/** Queries of the project screens and the dashboard. */
function kindsOf(project: string): Kind[] {
  const [all, older] = ['/v1/projects', `indexingDate=${snapshotDates[4]}`]
  const bySize = `${all}?sort=sizeOfFiles&direction=desc`
  const kinds: Record<string, Record<string, string>> = {
    'list of projects, first page': { 'by name': all, 'by size': bySize, older: `${all}?${older}` },
    'a project': { newest: project, older: `${project}?${older}` },
    'history of a project': { 'all dates': `${project}/history`, 'up to an older one': `${project}/history?${older}` },
    'most active projects': {
      'in a month': `${all}/mostActiveProjects`,
      'in a year': `${all}/mostActiveProjects?duration=365`,
    },
  }
  return Object.entries(kinds).map(([name, paths]) => ({
    name,
    aims: [100, 100],
    light: true,
    variants: variants(paths),
  }))
}
