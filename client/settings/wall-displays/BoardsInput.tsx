import { ActionIcon, Checkbox, Input } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { boardTitles, type WallBoard, wallBoards } from '#events/wall.ts'
import type { InputProps } from '#client/parts/settings-table/form.ts'
import classes from './WallDisplays.module.css'

/** Explanation of each board. */
const contents: Record<WallBoard, string> = {
  capacity: 'Used and free space, fullest storages',
  jobs: 'Failures of the last 24 hours, running and waiting jobs',
  growth: 'Change in 30 days, most active storages and projects',
  now: 'Folders of live storages that grow at present',
  map: 'Storages and their largest folders by size',
  agents: 'Current task and speed of each agent',
}

/** Boards of a display: which ones, and in which order. */
export function BoardsInput({ label, description, value, onChange, error, disabled }: InputProps<WallBoard[]>) {
  const others = wallBoards.filter((board) => !value.includes(board))
  const move = (board: WallBoard, by: number) => {
    const [from, boards] = [value.indexOf(board), value.filter((one) => one !== board)]
    onChange([...boards.slice(0, from + by), board, ...boards.slice(from + by)])
  }
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div">
      <ul className={classes.boards} aria-label={label}>
        {[...value, ...others].map((board) => (
          <li key={board} className={classes.board}>
            <Checkbox
              label={boardTitles[board]}
              description={contents[board]}
              checked={value.includes(board)}
              disabled={disabled}
              onChange={({ currentTarget: { checked } }) =>
                onChange(checked ? [...value, board] : value.filter((one) => one !== board))
              }
            />
            {value.includes(board) && (
              <span className="flex fixed gap-4">
                <ActionIcon
                  aria-label={`Move ${boardTitles[board]} up`}
                  disabled={disabled || value[0] === board}
                  onClick={() => move(board, -1)}
                >
                  <IconArrowUp size={16} stroke={1.5} />
                </ActionIcon>
                <ActionIcon
                  aria-label={`Move ${boardTitles[board]} down`}
                  disabled={disabled || value.at(-1) === board}
                  onClick={() => move(board, 1)}
                >
                  <IconArrowDown size={16} stroke={1.5} />
                </ActionIcon>
              </span>
            )}
          </li>
        ))}
      </ul>
    </Input.Wrapper>
  )
}
