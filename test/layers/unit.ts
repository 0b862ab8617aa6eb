import { Server, Socket } from 'node:net';
import { refuse } from './refuse.js';
import './world.js';

refuse(Server.prototype, 'listen', 'opens a socket');
refuse(Socket.prototype, 'connect', 'opens a socket');
