import { Button } from '@mantine/core'
import { IconFolderSymlink } from '@tabler/icons-react'
import { type Project, type ProjectItem } from '#events/projects/calls.ts'
import { folderMoves } from '#events/projects/moves.ts'
import { call } from '#client/app/call.ts'
import { ProjectGuard } from '#client/projects/ProjectGuard.tsx'
import { toast } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { counted } from '#client/ui/text/count.ts'
import { MarkedText } from '#client/ui/values/PathText.tsx'
import classes from './MovedFolders.module.css'

type MovedFolder = ProjectItem & { movedTo: NonNullable<ProjectItem['movedTo']> }

/** Maximum number of folders with a question of their own. */
const maxShown = 5

/** Folders of a project that scans found at another path. Asks users who may edit the project whether to follow them. */
export function MovedFolders({ project }: { project: Project }) {
  const moved = project.projectShares
    .flatMap(({ projectItems }) => projectItems)
    .filter((item): item is MovedFolder => item.movedTo !== null)
  const [busy, answer] = useAnswer(project.id)
  if (moved.length === 0) return null
  const others = moved.length - maxShown
  return (
    <section className={classes.moved} aria-label="Moved folders">
      <ul className="stack full gap-8">
        {moved.slice(0, maxShown).map((folder) => (
          <li className="row wrap gap-8" key={folder.id}>
            <IconFolderSymlink size={16} stroke={1.5} aria-hidden />
            <ProjectGuard project={project} otherwise={<Statement folder={folder} />}>
              <Question folder={folder} busy={busy} answer={answer} />
            </ProjectGuard>
          </li>
        ))}
      </ul>
      {others > 0 && <p className="muted">{counted(others, 'more folder')} moved.</p>}
      <ProjectGuard
        project={project}
        otherwise={<p className="muted">A project manager or an administrator can let the project follow.</p>}
      >
        <p className="muted">A project that follows a folder tracks its new path and keeps its history.</p>
        {moved.length > 1 && (
          <Button size="xs" loading={busy} onClick={() => answer('follow', moved)}>
            Follow all {counted(moved.length, 'folder')}
          </Button>
        )}
      </ProjectGuard>
    </section>
  )
}

type Answer = keyof typeof folderMoves

function useAnswer(id: number) {
  return useBusy(async (answer: Answer, moved: MovedFolder[]) => {
    const folders = moved.map(({ volumeId, path, movedTo }) => ({ volumeId, path, movedTo: movedTo.path }))
    await call(folderMoves[answer], { params: { id }, body: { folders } })
    toast({ kind: 'success', message: answerTexts[answer](counted(moved.length, 'folder')) })
  })
}

const answerTexts = {
  follow: (folders: string) => `The project follows ${folders}`,
  reject: (folders: string) => `The project keeps the old path of ${folders}`,
} satisfies Record<Answer, (folders: string) => string>

type QuestionProps = { folder: MovedFolder; busy: boolean; answer: (answer: Answer, folders: MovedFolder[]) => void }

function Question({ folder, busy, answer }: QuestionProps) {
  const { fullPath, movedTo } = folder
  return (
    <>
      <span className={classes.text}>
        <Path path={fullPath} /> is now <Path path={movedTo.fullPath} />. Follow it?
      </span>
      <span className="flex gap-8">
        <Button size="xs" disabled={busy} aria-label={`Follow ${fullPath}`} onClick={() => answer('follow', [folder])}>
          Follow
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={busy}
          aria-label={`Don't follow ${fullPath}`}
          onClick={() => answer('reject', [folder])}
        >
          Don't follow
        </Button>
      </span>
    </>
  )
}

const Statement = ({ folder: { fullPath, movedTo } }: { folder: MovedFolder }) => (
  <span className={classes.text}>
    <Path path={fullPath} /> is gone. It is probably <Path path={movedTo.fullPath} /> now.
  </span>
)

const Path = ({ path }: { path: string }) => (
  <strong>
    <MarkedText text={path} />
  </strong>
)
