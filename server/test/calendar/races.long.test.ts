import { calendarRaces } from './races.ts'

calendarRaces(40)
