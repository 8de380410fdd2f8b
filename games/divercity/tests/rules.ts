// The numbers of the rules for tests without a server.
import { keepConstants } from '$model/constants';

keepConstants('divercity', {
  hand: 4,
  species: 12,
  copies: 5,
  hotels: 6,
  look: 4,
  strikes: 2,
  signs: 16,
  signs_a_card: 3,
});
