// The numbers of the rules for tests without a server.
import { keepConstants } from '$model/constants';

keepConstants('dive', {
  levels: 5,
  seven: 7,
  tokens: 5,
  clownfish_air: 3,
  tranquil_end: 15,
  goal: 23,
  orca_ms: 10000,
  step_ms: 2500,
});
