import { Id, endpoint } from './endpoint.ts'
import { Job } from './jobs.ts'
import { PageQuery, pageOf } from './page.ts'

/** A job in a list: without its tasks. */
const JobRow = Job.omit({ tasks: true })

export const jobs = {
  list: endpoint({
    method: 'GET',
    path: '/v1/jobs',
    needs: 'jobs.see',
    failure: 'Something went wrong while fetching the jobs',
    query: PageQuery,
    answer: pageOf(JobRow),
  }),
  one: endpoint({
    method: 'GET',
    path: '/v1/jobs/:id',
    needs: 'jobs.see',
    failure: 'Error while getting the job',
    params: Id,
    answer: Job,
  }),
}
